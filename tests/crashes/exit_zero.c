/* expect: none
   ends: exit 0

   A healthy program: silence. */
#include <stdio.h>

int main(void) {
    puts("done");
    return 0;
}
