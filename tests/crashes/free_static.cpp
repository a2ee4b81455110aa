/* expect: invalid-free strong
   looks-like: heap-corruption
   not: use-after-free
   ends: SIGABRT
   build: -O2
   says: replace

   delete of a static default object, in an optimised C++ program. */
#include <cstdio>

struct Theme { int colours[64]; };
Theme default_theme;
Theme *current = &default_theme;

__attribute__((noipa)) void replace(Theme *theme) {
    delete current;
    current = theme;
}

int main() {
    replace(new Theme{});
    std::printf("%d\n", current->colours[0]);
}
