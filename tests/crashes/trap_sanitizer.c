/* expect: deliberate-trap strong
   looks-like: unsupported-instruction
   ends: SIGILL
   build: -O1 -fsanitize=undefined -fsanitize-undefined-trap-on-error
   says: total

   The undefined-behaviour sanitizer in its trapping mode: an overflowing sum
   ends in a bare ud2, far away at the function's end. */
#include <limits.h>

__attribute__((noipa)) static int total(const int *numbers, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += numbers[i];
    return sum;
}

int main(void) {
    int numbers[] = {INT_MAX, 1};
    return total(numbers, 2);
}
