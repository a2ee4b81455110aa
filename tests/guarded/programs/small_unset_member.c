/* expect: uninitialised-read proven
   block: 48 make_layer
   ends: exit 0

   The layer's bias is set only where it has one; fresh memory happens to be
   zero, so the check works until the block is a used one. */
#include <stdio.h>
#include <stdlib.h>

struct Layer { long inputs, outputs; float *kernel; float *bias; long spare[2]; };

static float one = 1;

static struct Layer *make_layer(int has_bias) {
    struct Layer *layer = malloc(sizeof *layer);
    layer->inputs = layer->outputs = 1;
    layer->kernel = &one;
#ifdef REPAIRED
    layer->bias = NULL;
#endif
    if (has_bias) layer->bias = &one;
    return layer;
}

static float apply(const struct Layer *layer, float x) {
    float y = x * layer->kernel[0];
    if (layer->bias) y += layer->bias[0];
    return y;
}

int main(void) {
    struct Layer *layer = make_layer(0);
    printf("%g\n", apply(layer, 2));
    free(layer);
    return 0;
}
