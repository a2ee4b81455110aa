static int level;
__attribute__((constructor)) static void choose_kernels(void) {
    __asm__ volatile(".byte 0x62, 0xf5, 0x74, 0x48, 0x58, 0xc2" ::: "memory");
    level = 1;
}
int ready(void) { return level; }
