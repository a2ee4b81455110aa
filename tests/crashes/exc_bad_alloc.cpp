/* expect: uncaught-cpp-exception|impossible-allocation strong
   not: failed-check out-of-memory-refused out-of-memory-killed
   not: heap-corruption null-pointer
   ends: SIGABRT
   says: bad_alloc
   says: embeddings

   A negative count became a size of 2^64 - 8000: std::bad_alloc, with the
   machine's memory nearly empty. */
#include <cstdlib>
#include <new>

double *embeddings(long rows) {
    return static_cast<double *>(::operator new(rows * sizeof(double)));
}

int main() { return embeddings(-1000) == nullptr; }
