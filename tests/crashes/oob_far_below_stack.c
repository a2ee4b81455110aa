/* expect: out-of-bounds|wild-pointer plausible
   looks-like: stack-overflow
   not: null-pointer
   ends: SIGSEGV
   build: -O2
   says: previous

   A negative index into a local array reaches 40 MB below a stack that is
   hardly used: the stack pointer is far from the bottom. */
__attribute__((noipa)) static int previous(int *window, long back) {
    return window[-back];
}

int main(void) {
    int window[16] = {1, 2, 3};
    return previous(window, 10000000);
}
