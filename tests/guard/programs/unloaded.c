// The library of unloads.c.
#include <stdlib.h>
char* alpha_make(void) { return malloc(64); }
