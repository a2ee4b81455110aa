/* expect: none
   looks-like: uncaught-cpp-exception
   ends: exit 3

   An exception is caught in main, told to the user and turned into exit 3: the
   program has said it all. */
#include <cstdio>
#include <stdexcept>

int main() {
    try {
        throw std::runtime_error("no input files");
    } catch (const std::exception &error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 3;
    }
}
