/* expect: out-of-bounds proven
   block: 8 load_scores
   ends: exit 0
   may-miss: a read inside alignment slack leaves no trace

   The average over two floats reads a third. The block is rounded up to 16
   bytes: whoever guards by pages cannot see it. */
#include <stdio.h>
#include <stdlib.h>

static float *load_scores(int count) {
    float *scores = malloc(count * sizeof *scores);
    for (int i = 0; i < count; i++) scores[i] = 1.5f * i;
    return scores;
}

static float average(const float *scores, int count) {
    float sum = 0;
#ifdef REPAIRED
    for (int i = 0; i < count; i++) sum += scores[i];
#else
    for (int i = 0; i <= count; i++) sum += scores[i];
#endif
    return sum / count;
}

int main(void) {
    float *scores = load_scores(2);
    printf("%g\n", average(scores, 2));
    free(scores);
    return 0;
}
