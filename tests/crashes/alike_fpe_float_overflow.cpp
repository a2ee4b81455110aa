/* expect: unknown weak
   looks-like: division-by-zero
   ends: SIGFPE
   build: -O1
   says: shrink

   A division by a tiny number that is not zero overflows with traps on
   (FPE_FLTOVF): a divide instruction, SIGFPE, and still no division by zero. */
#include <cfenv>
#include <thread>

__attribute__((noipa)) double shrink(double value, double by) {
    return value / by;
}

int main() {
    std::thread([] {
        feenableexcept(FE_OVERFLOW);
        shrink(1e308, 1e-10);
    }).join();
}
