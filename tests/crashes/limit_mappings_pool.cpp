/* expect: resource-limit strong
   not: uncaught-cpp-exception
   ends: SIGABRT
   needs: map-limit
   says: vm\.max_map_count allows

   An allocator that maps a guard page before each block. std::bad_alloc, while
   a few hundred megabytes are in use and nothing limits them. */
#include <new>
#include <sys/mman.h>

static void *guarded_block() {
    void *block = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED || mprotect(block, 4096, PROT_NONE)) throw std::bad_alloc();
    return block;
}

int main() {
    for (int i = 0; i < 100000; i++) guarded_block();
}
