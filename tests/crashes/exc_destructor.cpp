/* expect: uncaught-cpp-exception strong
   not: failed-check
   ends: SIGABRT
   says: (first|second) error

   While one exception unwinds the stack, a destructor throws another. Both are
   in flight; the first is the reason. */
#include <stdexcept>

struct File {
    ~File() noexcept(false) { throw std::runtime_error("second error"); }
};

void write_all() {
    File file;
    throw std::runtime_error("first error");
}

int main() {
    try {
        write_all();
    } catch (...) {
    }
}
