/* expect: heap-corruption strong
   at-most: strong
   looks-like: failed-check
   ends: SIGABRT

   The size of the heap's last part is cleared. The next allocation finds it too
   small to be true and stops by an assertion of the allocator's own, which is no
   check of the program's. */
#include <cstdio>
#include <cstring>

int main() {
    char *last = new char[512];
    memset(last + 512, 0, 32);
    printf("cleared\n");
    delete[] last;
}
