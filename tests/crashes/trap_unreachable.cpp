/* expect: deliberate-trap strong
   looks-like: unsupported-instruction
   ends: SIGILL
   build: -O2 -fsanitize=unreachable -fsanitize-undefined-trap-on-error
   says: name_of

   A switch that was thought complete reaches its __builtin_unreachable(). */
enum class Colour { red, green };

__attribute__((noipa)) const char *name_of(Colour colour) {
    switch (colour) {
    case Colour::red: return "red";
    case Colour::green: return "green";
    }
    __builtin_unreachable();
}

int main() { return name_of(static_cast<Colour>(7))[0]; }
