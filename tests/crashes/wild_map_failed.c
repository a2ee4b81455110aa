/* expect: wild-pointer|out-of-memory-refused|impossible-allocation|unknown weak
   looks-like: null-pointer
   not: out-of-bounds
   ends: SIGSEGV
   says: use

   mmap failed and nobody compared with MAP_FAILED, which is -1 and not null:
   the base register holds 0xffffffffffffffff. */
#include <sys/mman.h>

__attribute__((noinline)) static int use(char *area) { return area[0]; }

int main(void) {
    char *area = mmap(0, 1UL << 60, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return use(area);
}
