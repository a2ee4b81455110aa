/* expect: null-pointer strong
   looks-like: uncaught-cpp-exception
   ends: SIGSEGV
   build: -O1
   says: describe

   An exception was caught properly; the handler then reads through null. The
   exception object is still alive, and innocent. */
#include <cstdio>
#include <stdexcept>

struct Request { const char *path; int size; };

__attribute__((noipa)) int describe(const Request *request) {
    return request->size;
}

int main() {
    const Request *request = nullptr;
    try {
        throw std::runtime_error("connection lost");
    } catch (const std::exception &error) {
        std::printf("%s: %d\n", error.what(), describe(request));
    }
}
