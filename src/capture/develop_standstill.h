// What the threads of a hung program wait for, and who could end it: sense made of standstill.h's lines.
#pragma once
#include <string>
#include <vector>

#include "evidence/termination.h"

namespace sigwhy::capture {

// Of every thread in the tree; empty where something was left out.
std::vector<Wait> waits_in(const std::string& standstill);

}  // namespace sigwhy::capture
