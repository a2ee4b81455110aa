// C++ exceptions alive at death, read without calling anything. libstdc++ puts a header in front of each thrown
// object; counted from the eight bytes of its class mark ("GNUCC++\0"):
//   -96 reference count   -80 type_info of the object   -40 handler count   0 the mark   +32 the object itself
// A freed header keeps its mark, but free() writes its links over the reference count and the padding behind it,
// which __cxa_allocate_exception had zeroed: a sane count with zeroes behind it is a living exception.
#pragma once
#include <vector>

#include "evidence/text.h"
#include "target/target.h"

namespace sigwhy::native {

// Nearest to the dying thread's stack pointer first. Whether one of them ended the program is not decided here.
std::vector<CppException> exceptions_of(const Target& target);

}  // namespace sigwhy::native
