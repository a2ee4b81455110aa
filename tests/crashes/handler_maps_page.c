/* expect: none
   looks-like: wild-pointer
   ends: exit 0

   Memory on demand: the handler maps the page that was missing and returns, and
   the same instruction succeeds. */
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

static void supply(int signal, siginfo_t *info, void *context) {
    uintptr_t page = (uintptr_t)info->si_addr & ~4095UL;
    mmap((void *)page, 4096, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

int main(void) {
    struct sigaction action = {.sa_sigaction = supply, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, 0);
    volatile char *area = (volatile char *)0x123400000000;
    for (long i = 0; i < 64; i++) area[i * 4096] = 1;
    return 0;
}
