// The parts of a page that every text format has in common.
#pragma once
#include "report/page.h"
#include "report/view.h"

namespace sigwhy::report {

void draw_head(Page& page, const View& view);  // headline, verdicts, places
void draw_section(Page& page, const Section& section);
void draw_footer(Page& page, const View& view);

}  // namespace sigwhy::report
