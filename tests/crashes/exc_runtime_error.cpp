/* expect: uncaught-cpp-exception strong
   not: failed-check heap-corruption
   ends: SIGABRT
   says: runtime_error
   says: no such layer: conv9

   The plain one: std::runtime_error with a text, thrown in the main thread. */
#include <stdexcept>
#include <string>

int layer_index(const std::string &name) {
    if (name != "conv1") throw std::runtime_error("no such layer: " + name);
    return 1;
}

int main() { return layer_index("conv1") + layer_index("conv9"); }
