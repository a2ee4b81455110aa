// A file that a walk over its bytes found broken, joined with the death: its reader complained, its native reader died
// in it, or it had merely been read before.
#pragma once
#include "diagnose/facts.h"

namespace sigwhy::diagnose {

// Of all files that were looked at.
std::optional<std::size_t> only_broken_input(const Facts& facts);

// What the walk says of a broken file, added to what the reader said. `named`: the reader said which file.
void add_walk(const Facts& facts, std::size_t input, bool named, Finding& finding);

// A native reader that trusts its file dies of a broken one: an offset that the file states leads anywhere, and a count
// may ask for more memory than there is.
std::optional<Finding> died_reading(const Facts& facts);

// An exception that says nothing of a file, raised where a function had been given a broken one.
std::optional<Finding> failed_after_reading(const Facts& facts);

}  // namespace sigwhy::diagnose
