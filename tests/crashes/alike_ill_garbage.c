/* expect: bad-jump|unknown weak
   looks-like: unsupported-instruction deliberate-trap
   ends: SIGILL
   says: run_program

   A just-in-time compiler's page holds its data, not its code: the bytes are no
   instruction of any CPU in 64-bit mode. */
#include <string.h>
#include <sys/mman.h>

static int run_program(int (*program)(void)) { return program() + 1; }

int main(void) {
    char *page = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(page, 0x06, 4096);
    return run_program((int (*)(void))(page + 128));
}
