/* expect: deliberate-trap strong
   looks-like: division-by-zero unsupported-instruction
   ends: SIGILL
   build: -O2 -fsanitize=integer-divide-by-zero
   build: -fsanitize-undefined-trap-on-error
   says: rate

   The divisor is zero, but a check in front of the division stopped the program
   with ud2: what ended it is the trap. */
__attribute__((noipa)) static int rate(int items, int seconds) {
    return items / seconds;
}

int main(void) { return rate(10, 0); }
