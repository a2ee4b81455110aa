/* expect: unknown weak
   looks-like: division-by-zero
   ends: SIGFPE
   says: muldiv

   A 128-bit product divided by a 64-bit number that is not zero: the quotient
   does not fit its register. */
static unsigned long muldiv(unsigned long a, unsigned long b, unsigned long c) {
    unsigned long rest;
    __asm__("mulq %2\n divq %3" : "+a"(a), "=&d"(rest) : "r"(b), "r"(c));
    return a;
}

int main(void) { return (int)muldiv(1UL << 62, 1000, 7); }
