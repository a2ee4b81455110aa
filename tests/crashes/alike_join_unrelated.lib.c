#include <sys/mman.h>

/* A mapping of the library's own, walked two pages too far. */
double own_table(void) {
    const long bytes = 1 << 20;
    char *all = mmap(0, bytes + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(all, bytes, PROT_READ | PROT_WRITE);
    double sum = 0;
    for (const double *at = (double *)all; at < (double *)(all + bytes + 8192); at++) sum += *at;
    return sum;
}
