/* expect: invalid-free proven
   block: 4096 make_weights
   ends: exit 0

   Made by new[] and given back by free: right by luck with this allocator. */
#include <cstdio>
#include <cstdlib>

static float *make_weights(int count) {
    float *weights = new float[count];
    for (int i = 0; i < count; i++) weights[i] = 1.0f / (i + 1);
    return weights;
}

int main() {
    float *weights = make_weights(1024);
    printf("%g\n", weights[1023]);
#ifdef REPAIRED
    delete[] weights;
#else
    free(weights);
#endif
    return 0;
}
