/* expect: null-pointer strong
   not: killed-by-process
   ends: SIGSEGV
   build: -O2
   says: last_value

   The handler restores the default and raises the signal: the deadly one comes
   from the process itself, without an address; the first one tells. */
#include <csignal>
#include <thread>

static void note(int number) {
    std::signal(number, SIG_DFL);
    std::raise(number);
}

__attribute__((noipa)) long last_value(const long *values, long count) {
    return values[count - 1];
}

int main() {
    std::signal(SIGSEGV, note);
    std::thread([] { last_value(nullptr, 3); }).join();
}
