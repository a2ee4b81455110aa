/* expect: deliberate-trap|unknown weak
   looks-like: null-pointer
   not: wild-pointer bad-jump unsupported-instruction
   ends: SIGSEGV
   build: -O2
   says: crash_now

   hlt is what musl and glibc fall back on to stop for certain. It belongs to the
   kernel, so it ends in SIGSEGV with SI_KERNEL and address 0. */
__attribute__((noipa)) static void crash_now(void) { __asm__ volatile("hlt"); }

int main(void) {
    crash_now();
    return 0;
}
