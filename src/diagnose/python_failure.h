// The Python exception that ended the program, and what stands behind it.
//
// Frameworks wrap an error in errors of their own: `raise ... from` (a cause) is meant, while a context is often only
// the failed first try of a fallback. So a cause counts as the root, a context only where the outer error repeats it or
// where a sys.exit() stands in front of it. sys.exit(n) in an except block of the user's is a death of what was caught;
// one in a library's (argparse, a test runner) is a decision and no failure.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/snapshot.h"

namespace sigwhy::diagnose {

struct FrameAt {
  std::size_t exception = 0;  // index into Snapshot.python_exceptions
  std::size_t frame = 0;      // index into its traceback
};

struct PythonFailure {
  std::vector<std::size_t> told;  // from the error that ended it to the root error, as indices
  std::optional<FrameAt> own;     // the innermost frame in the user's own code
  std::string words;              // what the root error says, without the wrapping
  std::string type;               // its class without the module: "ValueError"
};

// No sentence, but what the exception was made with, "(<ufunc>, 2)": its class words it only when Python prints it.
bool is_bare_arguments(std::string_view message);
std::optional<PythonFailure> python_failure_of(const Snapshot& snapshot);

// sys.exit(n) that is no failure of ours to explain: what it was called with.
std::optional<std::string> deliberate_exit(const Snapshot& snapshot);

// Is it one of those that ended the program? Else another error rose while this one was handled, which may be its
// consequence (a clean-up that failed too) or have a cause of its own.
bool ended_it(const PythonFailure& failure, std::size_t exception);
inline constexpr auto rival_error = "the error that rose while this one was handled has a cause of its own";

const PyException& root_of(const Snapshot& snapshot, const PythonFailure& failure);
const PythonFrame& frame_of(const Snapshot& snapshot, FrameAt at);

// Is it, or does it derive from, one of these? Names match whole or behind a dot: "MemoryError" takes
// "numpy.core._exceptions.MemoryError".
bool is_a(const PyException& exception, std::initializer_list<std::string_view> classes);
// In the whole chain, contexts included: a refused resource often hides behind the error of the cleanup.
std::optional<std::size_t> any_is_a(const Snapshot& snapshot, std::initializer_list<std::string_view> classes);
const PyValue* attribute(const PyException& exception, std::string_view name);
std::optional<std::int64_t> errno_of(const PyException& exception);

// "numpy.core._exceptions._ArrayMemoryError" -> "_ArrayMemoryError"
std::string_view class_name(std::string_view type);
// What is left when the wrappings of Keras, TensorFlow, DataLoader and multiprocessing are taken off.
struct CoreError {
  std::string type;  // the class that the wrapping names, empty where it is the exception's own
  std::string words;
};
CoreError core_error(std::string_view message);
std::string core_message(std::string_view message);

}  // namespace sigwhy::diagnose
