/* expect: resource-limit strong
   not: disk-full killed-by-process
   ends: SIGXFSZ
   says: save_log

   The file may grow to 64 KiB (RLIMIT_FSIZE) and is written further. The
   kernel's SIGXFSZ looks as if the program had sent it to itself: SI_USER with
   its own pid. */
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

static long save_log(int file) {
    char line[1024] = "log";
    long written = 0;
    for (int i = 0; i < 100; i++) written += write(file, line, sizeof line);
    return written;
}

int main(void) {
    struct rlimit limit = {64 << 10, 64 << 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    return save_log(open("run.log", O_WRONLY | O_CREAT, 0600)) > 0;
}
