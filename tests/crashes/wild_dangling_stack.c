/* expect: wild-pointer|use-after-free|unknown plausible
   at-most: strong
   looks-like: null-pointer
   not: stack-overflow stack-smashed
   ends: SIGSEGV
   says: total

   The address of a local variable outlives its function; by the time it is
   used, other calls have written their own values there. */
#include <string.h>

struct Job { long *numbers; long count; long history[20]; };
static struct Job *current;

static void prepare(long *numbers) {
    struct Job job = {numbers, 3};
    current = &job;
}

static void busy(int depth) {
    volatile double noise[64];
    for (int i = 0; i < 64; i++) noise[i] = 0.25 * i + 3.0;
    if (depth) busy(depth - 1);
}

static long total(void) { return current->numbers[0]; }

int main(void) {
    long numbers[3] = {1, 2, 3};
    prepare(numbers);
    busy(3);
    return (int)total();
}
