// Names of functions and source files in the space a line has. A demangled C++ name can be 4,000 characters;
// a reader recognises it by its last parts.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sigwhy::report {

// "void ns::Op<float, 3>::run(Context*) const" -> "ns::Op::run"; leading namespaces go first when it stays
// longer than `most`.
std::string short_symbol(std::string_view demangled, std::size_t most = 32);

// Relative to the working directory where it lies below it and that is short, else the file's name alone.
std::string short_source(std::string_view file, std::string_view directory, std::size_t most = 28);

// "_umath.cpython-311-x86_64-linux-gnu.so" -> "_umath.so": the interpreter's tag says nothing here.
std::string short_module(std::string_view file);

}  // namespace sigwhy::report
