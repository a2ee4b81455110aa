/* expect: invalid-free strong
   looks-like: heap-corruption
   not: use-after-free
   ends: SIGABRT
   says: drop

   delete through the second base class, whose destructor is not virtual: the
   address is inside the object, not at its start. */
#include <cstdio>

struct Named { char name[40] = "file"; };
struct Counted { long references = 1; };
struct File : Named, Counted { long size = 0; };

void drop(Counted *counted) {
    if (--counted->references == 0) delete counted;
}

int main() {
    Counted *file = new File;
    drop(file);
    std::puts("dropped");
}
