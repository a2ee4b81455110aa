/* expect: unknown weak
   looks-like: null-pointer
   not: wild-pointer unsupported-instruction out-of-bounds bad-jump
   not: deliberate-trap
   ends: SIGSEGV
   says: read_port

   Reading an I/O port belongs to the kernel: SIGSEGV with SI_KERNEL and address
   0, and the instruction touches no memory at all. */
static unsigned char read_port(unsigned short port) {
    unsigned char value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "d"(port));
    return value;
}

int main(void) { return read_port(0x70); }
