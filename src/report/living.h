// A process that lives: what each of its threads is doing. No verdict, because nothing has ended.
#pragma once
#include "report/view.h"

namespace sigwhy::report {

Headline living_headline(const Snapshot& snapshot);

// A section for each thread that does something of its own, in the order of its calls, and one line for each group
// of threads that wait alike.
std::vector<Section> living_sections(const Snapshot& snapshot);

}  // namespace sigwhy::report
