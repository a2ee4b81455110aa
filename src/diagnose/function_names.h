// Demangled C++ names are often longer than a screen: template arguments, parameter lists, lambdas in lambdas.
// A reader needs the path of names only: "tensorflow::StringNGramsOp::CreateNgrams".
#pragma once
#include <string>
#include <string_view>

namespace sigwhy::diagnose {

// The name without parameters, template arguments, return type, symbol version and compiler suffixes
// (".isra.0", ".cold"). "void at::native::f<int>(at::Tensor const&)" -> "at::native::f".
std::string bare_name(std::string_view symbol);

// For a wrapper that calls a lambda it was made for (std::function, c10::function_ref): the lambda, which is named
// in the wrapper's template arguments. Else the bare name.
std::string inner_name(std::string_view symbol);

// The bare name with "()" behind it, outer scopes dropped until it fits.
std::string shown_name(std::string_view symbol, std::size_t columns = 60);

}  // namespace sigwhy::diagnose
