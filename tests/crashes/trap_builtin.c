/* expect: deliberate-trap strong
   looks-like: unsupported-instruction
   not: bad-jump
   ends: SIGILL
   build: -O2
   says: require

   __builtin_trap() is ud2, an instruction that is invalid by design: no CPU
   extension is missing. */
__attribute__((noipa)) static void require(int condition) {
    if (!condition) __builtin_trap();
}

int main(int argc, char **argv) {
    require(argc > 0);
    require(argc > 1000);
    return 0;
}
