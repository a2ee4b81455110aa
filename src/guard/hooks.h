// What the hooks know of themselves and the rest asks for.
#pragma once

namespace sigwhy::guard {

void* our_malloc();
// Of the C library's functions that are hooked, the one of this name; null: it is none.
void* our_function(const char* name);
// Fills the table of functions that the hooked ones stand in front of.
void find_next_functions();
// jemalloc, tcmalloc, mimalloc or a sanitizer is linked to the program.
bool has_known_allocator();
// An operator new or delete of any form is neither ours nor the C++ library's.
bool has_operators_of_its_own();

}  // namespace sigwhy::guard
