// What `sigwhy confirm` was asked to do.
#pragma once
#include <span>

#include "cli/parse.h"
#include "experiment/variation.h"

namespace sigwhy::cli {

std::span<const Option> confirm_options();

Result<void> take_wishes(const Arguments& arguments, experiment::Wishes& wishes, experiment::Bounds& bounds);

}  // namespace sigwhy::cli
