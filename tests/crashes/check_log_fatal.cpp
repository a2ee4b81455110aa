/* expect: failed-check strong
   not: uncaught-cpp-exception heap-corruption
   ends: SIGABRT
   says: Check failed
   says: 3 vs\. 4

   The CHECK macro of glog and abseil in small: a stream gathers the message,
   its destructor writes it and aborts. */
#include <cstdio>
#include <cstdlib>
#include <sstream>

struct LogMessageFatal {
    std::ostringstream stream;
    LogMessageFatal(const char *file, int line, const char *failed) {
        stream << "F1115 12:00:00.000000 1 " << file << ":" << line
               << "] Check failed: " << failed << " ";
    }
    ~LogMessageFatal() {
        std::string text = stream.str() + "\n";
        std::fwrite(text.data(), 1, text.size(), stderr);
        std::abort();
    }
};

void match(int rows, int columns) {
    if (rows == columns) return;
    LogMessageFatal("shape.cc", 42, "rows == columns").stream
        << "(" << rows << " vs. " << columns << ")";
}

int main() { match(3, 4); }
