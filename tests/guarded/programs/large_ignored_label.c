/* expect: out-of-bounds|heap-corruption proven
   block: 262144 make_counts
   ends: SIGSEGV

   A label of -1 means "not labelled" and is counted like any other, in front of
   the table: into the allocator's size, which then unmaps half of the process. */
#include <stdio.h>
#include <stdlib.h>

static int *make_counts(int classes) { return calloc(classes, sizeof(int)); }

static void count(int *counts, const int *labels, int n) {
    for (int i = 0; i < n; i++) {
#ifdef REPAIRED
        if (labels[i] < 0) continue;
#endif
        counts[labels[i]]++;
    }
}

int main(void) {
    const int labels[] = {3, 65535, -1, 12, 3};
    int *counts = make_counts(65536);
    count(counts, labels, 5);
    printf("%d\n", counts[3]);
    free(counts);
    return 0;
}
