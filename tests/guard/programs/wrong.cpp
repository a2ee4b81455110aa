// Pairs of calls that do not belong together, or do: wrong NAME.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

int main(int, char** argv) {
  const std::string what = argv[1];
  if (what == "malloc-delete") ::operator delete(std::malloc(40));
  if (what == "new-free") std::free(::operator new(40));
  if (what == "array-delete") ::operator delete(::operator new[](40));
  if (what == "new-delete") delete new std::string(100, 'x');
  if (what == "array-array") delete[] new long[100];
  if (what == "realloc-free") std::free(std::realloc(std::malloc(10), 1000));
  if (what == "aligned") std::free(std::aligned_alloc(64, 640));
  struct alignas(128) Wide { char c[128]; };
  if (what == "aligned-new") delete new Wide;
  if (what == "aligned-array") delete[] new Wide[3];
  if (what == "nothrow") ::operator delete(::operator new(10, std::nothrow), std::nothrow);
  std::puts("went on");
}
