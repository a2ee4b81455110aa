// The loaded libraries, as the loader lists them. dlsym is of no use to us: we stand in front of it ourselves, it may
// not be there at all (before glibc 2.34 it lives in libdl, which a program may do without), and in a program with fixed
// addresses that compares function pointers it answers with a stub of the program's own, which jumps to us.
#pragma once
#include "guard/raw.h"

namespace sigwhy::guard {

// The first definition of `symbol` in the libraries behind us, in the order in which the loader looks; null: none.
void* next_definition(const char* symbol);
// Whether the first definitions of both are in one library, or there is no first.
bool come_together(const char* symbol, const char* other);

// What a plain call of `symbol` is bound to, for the symbols that hooks.cpp calls; null: nothing.
void* bound_function(const char* symbol);

// In the library that __libc_malloc is in.
bool is_in_c_library(const void* function);

}  // namespace sigwhy::guard
