// A library with an operator new of its own, over malloc and hidden: what it makes is deleted by the program, rightly.
// Built twice: with -DLIBRARY it is that library.
#include <cstdlib>
#include <new>

#ifdef LIBRARY
extern "C" void* hidden_new(std::size_t bytes) __attribute__((visibility("hidden")));
void* hidden_new(std::size_t bytes) { return std::malloc(bytes); }
extern "C" int* make_number() { return new (hidden_new(sizeof(int))) int(7); }
#else
#include <cstdio>
extern "C" int* make_number();
int main() {
  int* number = make_number();
  std::printf("%d\n", *number);
  delete number;
}
#endif
