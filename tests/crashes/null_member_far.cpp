/* expect: null-pointer strong
   not: out-of-bounds wild-pointer stack-overflow
   ends: SIGSEGV
   says: last_sample

   A member 0x2000 bytes into a null object, read in a second thread. The
   address is above the first page, where "below 4096" tools stop looking. */
#include <cstdio>
#include <thread>

struct Recorder { char buffer[0x2000]; double last; };

static double last_sample(const Recorder *recorder) { return recorder->last; }

int main() {
    const Recorder *recorder = nullptr;
    std::thread reader([&] { std::printf("%f\n", last_sample(recorder)); });
    reader.join();
}
