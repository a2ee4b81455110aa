/* expect: out-of-bounds strong
   not: null-pointer
   ends: SIGSEGV
   lib-build: -O2 -g0
   says: crc_step

   The table is static data of an optimised library without debug information;
   the index comes from the program. */
unsigned crc_step(unsigned crc, long value);

int main(void) {
    unsigned crc = 0;
    for (long i = 0; i < 256; i++) crc = crc_step(crc, i);
    return (int)crc_step(crc, 0x40000000);
}
