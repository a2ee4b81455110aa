// Bugs that are public: a table of facts (data/known_bugs_*.tsv, docs/known-bugs.md), part of the program. A lookup by
// package and version says what an installed release is known to suffer from; whether a death is one of them is for
// diagnose to say.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sigwhy {

// One line of the table. A list that the source leaves open is empty.
struct PublicBug {
  std::string_view id;    // "TFSA-2021-117", "numpy#27993"
  std::string_view also;  // "CVE-2021-37644"; empty: it has no other name
  std::vector<std::string_view> packages;
  std::vector<std::string_view> affected;  // "2.4.0..2.4.3": from, and the first that is not
  std::vector<std::string_view> fixed;     // releases, ascending
  std::string_view kind;                   // "division-by-zero", "segfault", ...; see docs/known-bugs.md
  // "op:Conv2D" (TensorFlow), "tflite:split", "aten:embedding_bag" (PyTorch; a final * stands for any rest),
  // "symbol:ufunc_at" (a function of C), "function:unpack_sequence" (of Python)
  std::vector<std::string_view> operations;
};

// Those that the table says this release has. None for a pre-release or a development version: advisories speak of
// releases. `package` may be spelled in any way that pip takes.
std::vector<PublicBug> public_bugs_of(std::string_view package, std::string_view version);

// The name that is looked up: the CVE where there is one.
std::string_view public_name(const PublicBug& bug);

// The fixes that come after this version, for "fixed in 2.5.1, 2.6.0".
std::vector<std::string> fixes_after(const PublicBug& bug, std::string_view version);

// "a division by zero in Conv2D": from the kind and the operations, in our own words.
std::string in_words(const PublicBug& bug);

}  // namespace sigwhy
