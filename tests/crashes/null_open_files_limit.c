/* expect: null-pointer|resource-limit strong
   not: wild-pointer
   ends: SIGSEGV
   says: count_lines

   The 30th fopen fails because 20 descriptors are allowed: null pointer is how
   it died, the limit is why. */
#include <stdio.h>
#include <sys/resource.h>

static int count_lines(const char *path) {
    FILE *file = fopen(path, "r");
    int lines = 0;
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) lines += c == '\n';
    return lines;
}

int main(void) {
    struct rlimit limit = {20, 20};
    setrlimit(RLIMIT_NOFILE, &limit);
    int lines = 0;
    for (int i = 0; i < 30; i++) lines += count_lines("/proc/self/comm");
    return lines > 0;
}
