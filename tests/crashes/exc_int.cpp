/* expect: uncaught-cpp-exception strong
   not: failed-check
   ends: SIGABRT
   build: -O1
   says: \bint\b

   throw 7: even an int can escape. In a catch that names another type. */
#include <cstdio>
#include <stdexcept>

void convert(int code) {
    if (code) throw code;
}

int main() {
    try {
        convert(7);
    } catch (const std::exception &error) {
        std::puts(error.what());
    }
}
