/* expect: out-of-bounds strong
   not: null-pointer
   looks-like: wild-pointer
   ends: SIGSEGV
   says: histogram_add

   A negative index into a static array: the address is below the program's
   first mapping and belongs to nothing. */
static unsigned counts[256];

static void histogram_add(int value) { counts[value]++; }

int main(void) {
    for (int value = 0; value < 256; value++) histogram_add(value);
    histogram_add(-400000000);
    return (int)counts[0];
}
