/* expect: uninitialised-read|wild-pointer weak
   looks-like: null-pointer
   not: use-after-free
   ends: SIGSEGV
   build: -O1 -ftrivial-auto-var-init=pattern
   says: report

   The compiler was asked to fill uninitialised locals with 0xfe, and one of
   them is used as a pointer, in a second thread. */
#include <thread>

struct Sink { int *lines; long written; };

__attribute__((noipa)) int report(const Sink &sink) { return sink.lines[0]; }

__attribute__((noipa)) int work() {
    Sink sink;
    sink.written = 0;
    return report(sink);
}

int main() { std::thread(work).join(); }
