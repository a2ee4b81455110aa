// Everything in the case, hex addresses included.
#include "report/draw.h"
#include "report/format.h"

namespace sigwhy::report::formats {

static std::string render(const View& view, const Look& look) {
  Page page(look);
  draw_head(page, view);
  // the details hold all gaps, not the three that matter most
  for (const auto& section : view.sections)
    if (section.title != "Not seen") draw_section(page, section);
  for (const auto& section : view.details) {
    page.blank();
    draw_section(page, section);
  }
  draw_footer(page, view);
  return page.take();
}

extern const Format full;
const Format full = {"everything: all threads, registers, mappings, findings, gaps", Detail::everything, render};

}  // namespace sigwhy::report::formats
