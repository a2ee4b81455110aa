/* expect: bad-jump strong
   looks-like: stack-overflow
   not: null-pointer stack-smashed
   ends: SIGSEGV
   build: -O1
   says: apply

   A pointer to data on the stack is called as a function, in a second thread:
   a fault address in a stack, and no overflow. */
#include <thread>

struct Callback { long context; int (*function)(long); };

__attribute__((noipa)) int apply(void *function) {
    return reinterpret_cast<int (*)(long)>(function)(1) + 1;
}

int main() {
    std::thread worker([] {
        Callback callback{5, nullptr};
        apply(&callback);
    });
    worker.join();
}
