/* expect: none
   looks-like: null-pointer wild-pointer
   ends: exit 139

   Exit code 139 by the program's own choice. Nothing died of SIGSEGV
   anywhere. */
#include <stdio.h>

int main(void) {
    fprintf(stderr, "139 records rejected\n");
    return 139;
}
