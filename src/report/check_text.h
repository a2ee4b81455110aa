// What `sigwhy check` found, as text: what would end the run first, first.
#pragma once
#include <string>
#include <vector>

#include "evidence/concern.h"
#include "report/look.h"

namespace sigwhy::report {

// `command`: what was asked about; empty: the interpreter alone.
std::string check_text(const CheckUp& check_up, const std::vector<std::string>& command, const Look& look);

}  // namespace sigwhy::report
