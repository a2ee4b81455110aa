/* expect: deliberate-trap strong
   not: bad-jump null-pointer
   ends: SIGTRAP
   says: immediate_crash

   int3, as big programs use it for "this cannot be": SIGTRAP with SI_KERNEL,
   and the instruction pointer is already behind it. In a second thread. */
#include <thread>

__attribute__((noinline)) void immediate_crash() { __asm__ volatile("int3"); }

int main() {
    std::thread worker([] { immediate_crash(); });
    worker.join();
}
