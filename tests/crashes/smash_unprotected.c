/* expect: stack-smashed|bad-jump strong
   looks-like: null-pointer
   not: wild-pointer
   ends: SIGSEGV
   build: -O1 -fno-builtin
   says: (?i)ASCII|text|letters|characters

   Without a protector the return address itself is text now: `ret` faults on a
   non-canonical address, siginfo claims 0, and no unwinder gets further. */
#include <string.h>

__attribute__((noipa)) static int greet(const char *name) {
    char line[32];
    strcpy(line, "Hello, ");
    strcat(line, name);
    return line[0];
}

int main(void) {
    return greet("Pablo Diego Jose Francisco de Paula Juan Nepomuceno Maria "
                 "de los Remedios Cipriano de la Santisima Trinidad");
}
