// The one form in which sigwhy speaks of its own errors. Needs base only.
#pragma once
#include <string>

#include "base/result.h"

namespace sigwhy::cli {

// "sigwhy: what: cause (remedy)"
std::string error_line(const Error& error);

}  // namespace sigwhy::cli
