/* expect: null-pointer strong
   not: wild-pointer bad-jump
   ends: SIGSEGV
   lib-build: -O2 -g0
   says: mean_of
   says: libnull_in_library

   The program hands a null pointer to an optimised shared library without
   debug information: the fault is there, the caller is here. */
double mean_of(const double *values, int count);

static double *load(const char *path) { return 0; }

int main(void) {
    double *values = load("measurements.bin");
    return (int)mean_of(values, 16);
}
