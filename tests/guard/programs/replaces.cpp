// Replaces operator new(size_t) and delete(void*) alone: by the standard every other form is made of them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

static long made, ended;

void* operator new(std::size_t bytes) {
  ++made;
  char* p = static_cast<char*>(std::malloc(bytes + 16));
  if (!p) throw std::bad_alloc();
  return p + 16;
}

void operator delete(void* p) noexcept {
  if (!p) return;
  ++ended;
  std::free(static_cast<char*>(p) - 16);
}

struct alignas(128) Wide {
  char bytes[128];
};

int main() {
  delete new long(7);
  delete[] new long[50];
  std::printf("%ld %ld\n", made, ended);
  ::operator delete(::operator new(10, std::nothrow), std::nothrow);
  ::operator delete[](::operator new[](10, std::nothrow), std::nothrow);
  ::operator delete(::operator new(10), std::size_t{10});
  ::operator delete[](::operator new[](10), std::size_t{10});
  std::printf("%ld %ld\n", made, ended);
  delete new Wide;
  delete[] new Wide[3];
  std::printf("%ld %ld\n", made, ended);
  std::vector<int> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i * 7919 % 1000);
  std::stable_sort(values.begin(), values.end());
  std::printf("%d %d\n", values[5], made > ended);
}
