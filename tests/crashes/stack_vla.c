/* expect: stack-overflow strong
   not: null-pointer wild-pointer
   looks-like: out-of-bounds
   ends: SIGSEGV
   build: -O1
   says: transpose

   A variable-length array of 32 MB, filled from its low end: the write is
   inside the array, and the array is outside the stack. */
__attribute__((noipa)) static double transpose(int n) {
    double work[n][n];
    for (int i = 0; i < n; i++) work[0][i] = i;
    return work[0][n - 1];
}

int main(void) { return (int)transpose(2048); }
