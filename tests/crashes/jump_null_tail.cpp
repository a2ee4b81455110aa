/* expect: bad-jump strong
   looks-like: null-pointer
   not: wild-pointer
   ends: SIGSEGV
   build: -O2
   says: main

   Optimised, the call through null is the last act of `run` and becomes a jump:
   the word at the stack pointer is the caller's caller. */
struct Plugin { int (*start)(int); };

__attribute__((noipa)) int run(const Plugin *plugin, int level) {
    return plugin->start(level);
}

int main(int argc, char **) {
    Plugin plugin{nullptr};
    return run(&plugin, argc) + 1;
}
