#include "report/check_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "evidence/names.h"
#include "report/page.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

constexpr int indent = 2, deeper = 6;

std::string subject(const CheckUp& check_up, const std::vector<std::string>& command) {
  const auto python = check_up.interpreter.empty() ? std::string()
                      : check_up.python_version.empty() ? check_up.interpreter
                                                        : fmt::format("Python {}, {}", check_up.python_version, check_up.interpreter);
  if (command.empty()) return python.empty() ? "this machine" : python;
  const auto typed = command_text(command);
  return python.empty() ? typed : fmt::format("{} ({})", typed, python);
}

struct Words {
  const char* text;
  Ink ink;
};

Words words_of(Severity severity) {
  switch (severity) {
    case Severity::ends: return {"ENDS IT", Ink::red};
    case Severity::may_end: return {"MAY END IT", Ink::yellow};
    case Severity::worth_knowing: return {"WORTH KNOWING", Ink::plain};
  }
  return {"", Ink::plain};
}

void draw_concern(Page& page, const Concern& concern) {
  const auto words = words_of(concern.severity);
  const auto cause = concern.cause == Cause::unknown ? concern.check : std::string(to_name(concern.cause));
  page.blank();
  page.paragraph(fmt::format("{}  {}", words.text, cause), indent, indent, words.ink);
  page.paragraph(sentence(concern.claim), deeper, deeper, Ink::bold);
  for (const auto& fact : concern.because) page.paragraph(fact, deeper, deeper + 2);
  for (std::size_t i = 0; i < concern.fix.size(); ++i)
    page.paragraph((i == 0 ? "Fix: " : "") + concern.fix[i], i == 0 ? deeper : deeper + 5, deeper + 5);
}

std::string looked_at(const CheckUp& check_up) {
  auto text = fmt::format("Looked at: {}", fmt::join(check_up.checked, ", "));
  if (!check_up.imports.empty()) text += fmt::format("; {}, {}", counted(check_up.imports.size(), "import"), counted(check_up.packages.size(), "package"));
  return text + ".";
}

}  // namespace

std::string check_text(const CheckUp& check_up, const std::vector<std::string>& command, const Look& look) {
  Page page(look);
  const auto& concerns = check_up.concerns;
  const auto ends = std::ranges::count(concerns, Severity::ends, &Concern::severity);
  const auto may = std::ranges::count(concerns, Severity::may_end, &Concern::severity);
  const auto said = ends      ? fmt::format("{} will end it", counted(static_cast<std::uint64_t>(ends), "thing"))
                    : may     ? fmt::format("{} may end it", counted(static_cast<std::uint64_t>(may), "thing"))
                    : concerns.empty() ? std::string("nothing found")
                                       : std::string("nothing that would end it");
  page.paragraph(fmt::format("sigwhy: {}: {}", subject(check_up, command), said), 0, indent, Ink::bold);
  for (const auto& concern : concerns) draw_concern(page, concern);
  if (!concerns.empty()) page.blank();
  page.paragraph(looked_at(check_up), indent, indent, Ink::dim);
  for (const auto& gap : check_up.gaps) page.paragraph(fmt::format("Not seen: {} ({})", gap.what, gap.why), indent, indent + 2, Ink::dim);
  return page.take();
}

}  // namespace sigwhy::report
