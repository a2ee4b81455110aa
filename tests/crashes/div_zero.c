/* expect: division-by-zero strong
   not: null-pointer
   ends: SIGFPE
   says: average

   The mean of no numbers. */
static int average(const int *numbers, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += numbers[i];
    return sum / count;
}

int main(void) {
    int numbers[3] = {1, 2, 3};
    return average(numbers, 3) + average(numbers, 0);
}
