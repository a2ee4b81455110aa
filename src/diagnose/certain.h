// What can be said without judging: it holds whatever the cause turns out to be, and is all there is to say where
// the verdict is unknown.
#pragma once
#include <string>
#include <vector>

#include "diagnose/facts.h"
#include "evidence/finding.h"

namespace sigwhy::diagnose {

std::vector<std::string> certain_of(const Facts& facts);

// Seen, and in no finding: last words and exceptions that nothing refers to, files that changed under the program.
std::vector<std::string> unexplained_by(const Facts& facts, const std::vector<Finding>& findings);

}  // namespace sigwhy::diagnose
