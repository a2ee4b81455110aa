static unsigned table[256] = {1, 2, 3};
unsigned crc_step(unsigned crc, long value) {
    table[0] = crc;
    return crc ^ table[value];
}
