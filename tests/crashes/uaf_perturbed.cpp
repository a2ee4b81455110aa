/* expect: use-after-free plausible
   looks-like: null-pointer
   not: uninitialised-read bad-jump
   ends: SIGSEGV
   env: MALLOC_PERTURB_=171
   says: label_of

   MALLOC_PERTURB_ fills freed blocks with 0xab: the pointer read from one is
   0xabababababababab, not canonical, and siginfo claims address 0. */
#include <cstdio>
#include <cstring>

struct Item { long id; long rest[250]; const char *label; };

__attribute__((noipa)) std::size_t label_of(const Item *item) {
    return std::strlen(item->label);
}

int main() {
    auto *item = new Item{1, {}, "seven"};
    std::printf("%zu\n", label_of(item));
    delete item;
    std::printf("%zu\n", label_of(item));
}
