/* expect: unsupported-instruction strong
   not: deliberate-trap bad-jump
   ends: SIGILL
   needs: cpu-without:avx512_fp16
   says: (?i)avx-?512|fp16
   says: libill_fp16_library

   A library's static initialiser uses AVX512-FP16: the death is before main,
   below the dynamic loader. */
int ready(void);

int main(void) { return ready(); }
