/* expect: stack-overflow|resource-limit strong
   not: null-pointer wild-pointer
   ends: SIGSEGV
   limit: stack=262144
   says: ackermann

   A finite recursion of 3 MB that is harmless with the usual 8 MiB of stack;
   here the limit is 256 KiB. */
static int ackermann(int depth) {
    volatile char room[200];
    room[0] = (char)depth;
    return depth ? ackermann(depth - 1) + room[0] : 0;
}

int main(void) { return ackermann(12000) & 1; }
