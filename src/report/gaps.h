// What could not be seen, as far as it matters for what the report says.
#pragma once
#include "report/view.h"

namespace sigwhy::report {

// At most three gaps: none below a proven verdict, those that touch a strong one, the nearest first otherwise.
Section not_seen_section(const Case& c);

std::string gap_text(const Gap& gap);

}  // namespace sigwhy::report
