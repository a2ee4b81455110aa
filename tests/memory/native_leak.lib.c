#include <stdlib.h>
#include <string.h>

void decode(int bytes) {
    char *pixels = malloc(bytes);
    memset(pixels, 1, bytes);
}
