/* expect: wild-pointer|heap-corruption|out-of-bounds plausible
   looks-like: null-pointer
   at-most: strong
   ends: SIGSEGV
   says: visit

   Text ran over the next member of the same struct. The pointer is the letters
   "nwater\0", not canonical: SI_KERNEL, and siginfo claims address 0. */
#include <stdlib.h>
#include <string.h>

struct Place { char name[16]; struct Place *near; int people; };

static int visit(const struct Place *place) { return place->near->people; }

int main(void) {
    struct Place *place = calloc(1, sizeof *place);
    place->near = place;
    visit(place);
    memcpy(place->name, "Llanfair-upon-Bourton-water", 24);
    return visit(place);
}
