/* expect: uncaught-cpp-exception strong
   not: failed-check
   ends: SIGABRT
   build: -O2 -g0
   says: ParseError

   A class of the program's own, not derived from std::exception: there is no
   what() to ask. */
namespace config {
struct ParseError { int line; const char *token; };

__attribute__((noipa)) int parse(int line) {
    if (line > 2) throw ParseError{line, "]"};
    return line;
}
}  // namespace config

int main(int argc, char **) { return config::parse(argc + 5); }
