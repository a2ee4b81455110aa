/* expect: heap-corruption proven
   block: 20 pack_labels
   ends: exit 0

   Five labels of four bytes, and a sentinel behind them. 20 bytes are rounded
   up, so the sentinel lies in the slack: no page can catch it, its trace can. */
#include <cstdio>

#ifdef REPAIRED
constexpr int spare = 1;
#else
constexpr int spare = 0;
#endif

static int *pack_labels(int count) {
    int *labels = new int[count + spare];
    for (int i = 0; i < count; i++) labels[i] = i * i;
    labels[count] = -1;
    return labels;
}

int main() {
    int *labels = pack_labels(5);
    int sum = 0;
    for (int i = 0; labels[i] != -1; i++) sum += labels[i];
    printf("%d\n", sum);
    delete[] labels;
    return 0;
}
