// Children do the dying. A test hands over a small program; it is compiled once, run under ptrace until a fatal
// signal reaches it, and its memory is copied: either all of it, or only as much as a grab with its budgets takes.
// The child never sees the signal's effect: it is killed as soon as the copy is made.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "target/target.h"

namespace sigwhy::test {

enum class Copied { everything, budget };

// Compiles `source` (by `compiler`: "cc" or "c++" with flags) below the build directory; the program's path.
// A test that cannot build its program fails by an empty path.
std::string built(const std::string& name, const std::string& compiler, const std::string& source);

// The program as it stood when the fatal signal arrived; no threads: it ended without one. Its own variables are in
// files["program data"] whatever was copied, for the test to compare with.
Target dead(const std::vector<std::string>& argv, Copied copied);

// A process that never was: mappings, registers and memory from a random number, seeded so that pointers, marks and
// headers which the readers look for do occur. Nothing may crash or loop on it.
Target random_target(unsigned seed);
// The same process with about one byte in 64 changed, another one for every seed.
void damage(Target& target, unsigned seed);
Address random_address(const Target& target, std::mt19937_64& random);

}  // namespace sigwhy::test
