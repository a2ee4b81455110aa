/* expect: uncaught-cpp-exception|impossible-allocation strong
   not: failed-check out-of-memory-killed heap-corruption
   ends: SIGABRT
   build: -O2
   says: length_error

   vector::resize with a negative number from a file's header. */
#include <vector>

__attribute__((noipa)) std::size_t load(std::vector<int> &ids, int count) {
    ids.resize(count);
    return ids.size();
}

int main() {
    std::vector<int> ids;
    return static_cast<int>(load(ids, -1));
}
