// What re-runs showed: the fix that was tested, and one line for each thing that was tried.
#pragma once
#include <vector>

#include "report/view.h"

namespace sigwhy::report {

// "Fix (tested: 0 of 10 died, before 9 of 10)"; no rows where none was.
Section tested_fix_section(const Case& c);

// "with 2 threads 9 of 10 died, with 1 thread 0 of 10   confirmed"
Section tried_section(const Case& c);

// A fact that only repeats what stands among the things that were tried.
bool is_told_as_tried(const Fact& fact);

// It died of a signal, the cause is not proven, and nobody has run it again yet.
bool is_worth_confirming(const Case& c);

// What was tried, with predictions and rivals.
std::vector<Section> experiment_details(const Case& c);

// The verdict rests on a re-run that caught the mechanism: its places are the ones to show.
bool told_by_proof(const Case& c, const std::vector<const Finding*>& findings);

}  // namespace sigwhy::report
