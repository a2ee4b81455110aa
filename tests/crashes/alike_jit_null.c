/* expect: null-pointer strong
   looks-like: bad-jump
   not: unsupported-instruction
   ends: SIGSEGV

   Code in anonymous executable memory, as every just-in-time compiler makes,
   reads through its null argument. Running there is not the mistake. */
#include <string.h>
#include <sys/mman.h>

int main(void) {
    const unsigned char body[] = {0x48, 0x8b, 0x47, 0x18, 0xc3};
    void *code = mmap(0, 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(code, body, sizeof body);
    mprotect(code, 4096, PROT_READ | PROT_EXEC);
    long (*load_field)(void *) = (long (*)(void *))code;
    return (int)load_field(0);
}
