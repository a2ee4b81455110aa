/* expect: out-of-bounds proven
   block: 512 make_layers
   ends: SIGABRT

   Eight layers of 64 bytes; the loop that resets them runs once too often and
   clears 64 bytes of what follows: here of the allocator's own. */
#include <cstdio>
#include <cstring>

struct Layer { char name[48]; long inputs, outputs; };

static Layer *make_layers(int count) { return new Layer[count]; }

static void reset(Layer *layers, int count) {
#ifdef REPAIRED
    for (int i = 0; i < count; i++) {
#else
    for (int i = 0; i <= count; i++) {
#endif
        memset(layers[i].name, 0, sizeof layers[i].name);
        layers[i].inputs = layers[i].outputs = 0;
    }
}

int main() {
    Layer *layers = make_layers(8);
    reset(layers, 8);
    printf("%ld\n", layers[7].inputs);
    delete[] layers;
    return 0;
}
