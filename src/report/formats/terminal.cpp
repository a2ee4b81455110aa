// The report a user sees after a death: one screen.
#include "report/draw.h"
#include "report/format.h"

namespace sigwhy::report::formats {

static std::string render(const View& view, const Look& look) {
  Page page(look);
  draw_head(page, view);
  for (const auto& section : view.sections) draw_section(page, section);
  draw_footer(page, view);
  return page.take();
}

extern const Format terminal;
const Format terminal = {"one screen: the cause, the place, the fix, the reasons", Detail::usual, render};

}  // namespace sigwhy::report::formats
