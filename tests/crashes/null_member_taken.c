/* expect: null-pointer strong
   looks-like: wild-pointer
   not: wild-pointer
   ends: SIGSEGV
   build: -O2

   The address of a member of a null object was taken first: the pointer holds
   24, and that is where a member of eight bytes may lie. */
struct layer {
    long rows, columns, stride;
    long *shape;
    long total;
};

__attribute__((noipa)) static long *const *shape_of(const struct layer *l) { return &l->shape; }
__attribute__((noipa)) static const struct layer *find(int number) {
    static const struct layer only = {1, 2, 3, 0, 4};
    return number ? 0 : &only;
}

int main(void) { return *shape_of(find(1)) != 0; }
