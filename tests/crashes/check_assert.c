/* expect: failed-check strong
   not: uncaught-cpp-exception killed-by-process
   ends: SIGABRT
   says: count > 0
   says: pick

   assert() of the C library: the text is in memory, standard error is a
   pipe. */
#include <assert.h>

static int pick(const int *items, int count) {
    assert(count > 0);
    return items[count - 1];
}

int main(void) {
    int items[1] = {5};
    return pick(items, 0);
}
