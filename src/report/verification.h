// What `sigwhy verify` found, a paragraph for each file.
#pragma once
#include <string>

#include "evidence/input.h"
#include "report/look.h"

namespace sigwhy::report {

std::string draw_verification(const Verification& verification, const Look& look);

}  // namespace sigwhy::report
