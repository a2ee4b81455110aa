// dlsym, dlvsym and dlclose.
//
// A program that asks the C library's own handle for free (ctypes.CDLL("libc.so.6").free) gets past us to the C
// library's, and hands it a block of ours. So: what the loader finds there is answered with ours. Everything else goes
// on to the real function by a jump, not a call: RTLD_NEXT means "after the library that called", and the loader tells
// that by the return address.
#include <dlfcn.h>

#include "guard/hooks.h"
#include "guard/loader.h"
#include "guard/next.h"
#include "guard/state.h"
#include "guard/unloads.h"

using namespace sigwhy::guard;

extern "C" {
[[gnu::visibility("hidden")]] void* (*real_dlsym)(void* handle, const char* name);
[[gnu::visibility("hidden")]] void* (*real_dlvsym)(void* handle, const char* name, const char* version);

// Null: ask the real one.
[[gnu::visibility("hidden"), gnu::used]] void* instead_of_dlsym(void* handle, const char* name) {
  if (!real_dlsym) real_dlsym = reinterpret_cast<decltype(real_dlsym)>(next_definition("dlsym"));
  if (!real_dlsym || !name || handle == RTLD_NEXT || handle == RTLD_DEFAULT || !guards()) return nullptr;
  void* const ours = our_function(name);
  return ours && is_in_c_library(real_dlsym(handle, name)) ? ours : nullptr;
}

[[gnu::visibility("hidden"), gnu::used]] void* instead_of_dlvsym(void* handle, const char* name, const char* version) {
  if (!real_dlvsym) real_dlvsym = reinterpret_cast<decltype(real_dlvsym)>(next_definition("dlvsym"));
  if (!real_dlvsym || !name || handle == RTLD_NEXT || handle == RTLD_DEFAULT || !guards()) return nullptr;
  void* const ours = our_function(name);
  return ours && is_in_c_library(real_dlvsym(handle, name, version)) ? ours : nullptr;
}

[[gnu::visibility("default")]] int dlclose(void* handle) {
  static int (*real)(void*);
  if (!real) real = reinterpret_cast<int (*)(void*)>(next_definition("dlclose"));
  if (!real) return -1;
  if (!guards()) return real(handle);
  Unloading watched;
  return real(handle);
}
}

#define INSTEAD_OR_JUMP(symbol)                                                                                       \
  asm(".text\n.p2align 4\n.globl " #symbol "\n.type " #symbol ",@function\n" #symbol ":\n.cfi_startproc\nendbr64\n"   \
      "push %rdi\n.cfi_adjust_cfa_offset 8\npush %rsi\n.cfi_adjust_cfa_offset 8\n"                                    \
      "push %rdx\n.cfi_adjust_cfa_offset 8\n"                                                                         \
      "call instead_of_" #symbol "\n"                                                                                 \
      "pop %rdx\n.cfi_adjust_cfa_offset -8\npop %rsi\n.cfi_adjust_cfa_offset -8\n"                                    \
      "pop %rdi\n.cfi_adjust_cfa_offset -8\n"                                                                         \
      "test %rax, %rax\njnz 1f\n"                                                                                     \
      "mov real_" #symbol "(%rip), %rax\ntest %rax, %rax\njz 1f\njmp *%rax\n"                                         \
      "1: ret\n.cfi_endproc\n.size " #symbol ",.-" #symbol "\n")

INSTEAD_OR_JUMP(dlsym);
INSTEAD_OR_JUMP(dlvsym);
