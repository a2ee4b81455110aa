/* expect: uninitialised-read|wild-pointer|unknown weak
   at-most: strong
   looks-like: null-pointer
   not: use-after-free stack-overflow
   ends: SIGSEGV
   says: print_name

   A local pointer is never set; what lies there is a number that an earlier
   call has left. Nothing in memory says that it was never written. */
static void earlier(void) {
    volatile long leftovers[64];
    for (int i = 0; i < 64; i++) leftovers[i] = 0x7777000011112222;
}

static int print_name(void) {
    volatile struct { const char *name; long rest[24]; } entry;
    return entry.name[0];
}

int main(void) {
    earlier();
    return print_name();
}
