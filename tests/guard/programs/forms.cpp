// operator new in all its forms, and its failure.
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <vector>

struct alignas(256) Wide {
  char bytes[256];
};

int handler_calls = 0;
void handler() {
  if (++handler_calls == 3) std::set_new_handler(nullptr);
}

int main() {
  std::vector<std::unique_ptr<Wide>> wides;
  for (int i = 0; i < 10; ++i) wides.push_back(std::make_unique<Wide>());
  for (auto& wide : wides) std::printf("%d", static_cast<int>(reinterpret_cast<std::uintptr_t>(wide.get()) % 256));
  std::vector<std::string> words;
  for (int i = 0; i < 5000; ++i) words.push_back(std::string(i % 100, 'x'));
  std::size_t letters = 0;
  for (auto& word : words) letters += word.size();
  std::printf(" %zu\n", letters);
  volatile std::size_t huge = std::numeric_limits<std::ptrdiff_t>::max() - 100;
  std::printf("%p\n", ::operator new(huge, std::nothrow));
  std::set_new_handler(handler);
  try {
    ::operator new(huge);
  } catch (const std::bad_alloc& e) {
    std::printf("caught %s after %d\n", e.what(), handler_calls);
  }
  try {
    ::operator new[](huge, std::align_val_t(64));
  } catch (const std::bad_alloc&) {
    std::puts("caught again");
  }
  auto* array = new Wide[3];
  delete[] array;
  int* number = new (std::nothrow) int(5);
  std::printf("%d\n", *number);
  delete number;
}
