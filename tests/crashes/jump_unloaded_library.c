/* expect: bad-jump|use-after-free strong
   looks-like: null-pointer wild-pointer
   ends: SIGSEGV
   run: {lib}
   says: on_exit_hook|run_hooks

   A callback into a library that was closed meanwhile: the code is gone from
   the maps. */
#include <dlfcn.h>

static int (*hook)(int);

static int run_hooks(int code) { return hook(code) + 1; }

int main(int argc, char **argv) {
    void *library = dlopen(argv[1], RTLD_NOW);
    hook = (int (*)(int))dlsym(library, "on_exit_hook");
    run_hooks(0);
    dlclose(library);
    return run_hooks(1);
}
