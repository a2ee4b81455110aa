/* expect: write-to-read-only strong
   not: null-pointer out-of-bounds wild-pointer
   ends: SIGSEGV
   build: -O2
   says: calibrate

   A const table, written through a cast by an optimised loop in a second
   thread. */
#include <thread>

extern const double gains[4];
const double gains[4] = {1, 2, 4, 8};

__attribute__((noipa)) void calibrate(double *table, double factor) {
    for (int i = 0; i < 4; i++) table[i] *= factor;
}

int main() {
    std::thread worker([] { calibrate(const_cast<double *>(gains), 0.5); });
    worker.join();
}
