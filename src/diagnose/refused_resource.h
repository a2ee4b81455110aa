// Which error of a chain is the one of a refused resource (memory, files, room on a disk).
//
// It often hides behind the error of a clean-up that failed for the same reason, so that contexts count too. Not so
// where the program had answered the refusal and then made a plain mistake in a line of its own: a name or key that is
// not there, a division by zero.
#pragma once
#include <cstddef>
#include <optional>

#include "base/function_ref.h"
#include "diagnose/facts.h"

namespace sigwhy::diagnose {

// The index of the first that is one and counts.
std::optional<std::size_t> refused_resource(const Facts& facts, FunctionRef<bool(const PyException&)> is_one);

}  // namespace sigwhy::diagnose
