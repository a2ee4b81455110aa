/* expect: wild-pointer|heap-corruption|out-of-bounds plausible
   looks-like: null-pointer
   at-most: strong
   ends: SIGSEGV
   build: -O2
   says: (?i)float|-1\.5

   Two floats of -1.5 lie over a pointer: 0xbfc00000bfc00000. In a second
   thread, optimised; si_code is SI_KERNEL and the address says 0. */
#include <thread>

struct Layer { float weights[6]; int *shape; };

__attribute__((noipa)) void fill(float *weights, int count, float value) {
    for (int i = 0; i < count; i++) weights[i] = value;
}

__attribute__((noipa)) int rows(const Layer &layer) { return layer.shape[0]; }

int main() {
    int shape[2] = {3, 2};
    Layer layer{{}, shape};
    std::thread worker([&] {
        fill(layer.weights, 8, -1.5f);
        rows(layer);
    });
    worker.join();
}
