/* expect: unsupported-instruction strong
   not: deliberate-trap bad-jump
   ends: SIGILL
   needs: cpu-without:3dnow
   says: (?i)3d ?now
   says: add_pairs

   pfadd of AMD's 3DNow!, which no CPU has had for ten years. */
static float add_pairs(const float *a, const float *b) {
    float sum[2];
    __asm__ volatile("movq (%1), %%mm0\n movq (%2), %%mm1\n"
                     ".byte 0x0f, 0x0f, 0xc1, 0x9e\n"
                     "movq %%mm0, (%0)\n emms"
                     : : "r"(sum), "r"(a), "r"(b) : "memory");
    return sum[0] + sum[1];
}

int main(void) {
    float a[2] = {1, 2}, b[2] = {3, 4};
    return (int)add_pairs(a, b);
}
