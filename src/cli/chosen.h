// What the commands that show cases have in common: where the cases lie, and how a case is written out.
#pragma once
#include <string>

#include "base/result.h"
#include "cli/command.h"
#include "evidence/case.h"
#include "store/store.h"

namespace sigwhy::cli {

// With the runs in it that ended together with sigwhy.
store::Store open_store();

// The case with this id, or the newest where none is named.
Result<Case> chosen_case(const Arguments& arguments);

// The options of every command that shows a case, and what they ask for: --json, --format, --full, colours.
std::span<const Option> showing_options();
Result<std::string> shown(const Case& c, const Arguments& arguments, const std::string& again = {});

}  // namespace sigwhy::cli
