// The rest of a case in words, for whoever wants to check the verdict: every finding with what speaks for and
// against it, the instruction, registers, pointers, the address space around them, all threads, all gaps.
#pragma once
#include "report/view.h"

namespace sigwhy::report {

std::vector<Section> make_details(const Case& c);

// Parts of it, each in a file of its own.
std::vector<Section> finding_details(const Diagnosis& diagnosis);
std::vector<Section> process_details(const Snapshot& snapshot);
std::vector<Section> fault_details(const Snapshot& snapshot);
std::vector<Section> library_details(const Snapshot& snapshot);
std::vector<Section> thread_details(const Snapshot& snapshot);

}  // namespace sigwhy::report
