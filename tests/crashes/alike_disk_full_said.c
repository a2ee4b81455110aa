/* expect: none
   looks-like: disk-full
   ends: exit 1

   The disk is full, the program notices, says so and leaves with 1: it has said
   all there is to say. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    FILE *file = fopen("/dev/full", "w");
    fprintf(file, "results\n");
    if (fclose(file)) {
        fprintf(stderr, "results: %s\n", strerror(errno));
        return 1;
    }
    return 0;
}
