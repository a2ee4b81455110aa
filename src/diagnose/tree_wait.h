// Processes of a hung program that wait for each other: every thread of the whole tree sleeps until another process of
// the tree, or another thread of its own, does something, and all of those sleep too. So none will ever move: a child
// cannot write because its pipe is full, and the parent, which alone could read it, waits for the child's end.
#pragma once
#include <optional>

#include "diagnose/facts.h"
#include "evidence/finding.h"

namespace sigwhy::diagnose {

// None where some thread may be woken from elsewhere.
std::optional<Finding> waiting_for_each_other(const Facts& facts);

// The lock on a file that a process outside the program holds.
std::optional<Finding> waiting_for_a_stranger(const Facts& facts);

}  // namespace sigwhy::diagnose
