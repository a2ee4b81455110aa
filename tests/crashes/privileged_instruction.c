/* expect: unknown weak
   looks-like: null-pointer
   not: wild-pointer unsupported-instruction out-of-bounds bad-jump
   ends: SIGSEGV
   says: idle

   hlt belongs to the kernel: SIGSEGV with SI_KERNEL and address 0, and the
   instruction touches no memory at all. */
static void idle(void) { __asm__ volatile("hlt"); }

int main(void) {
    idle();
    return 0;
}
