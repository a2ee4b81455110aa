// The interpreter found itself in a state it cannot go on from and aborted (Py_FatalError). faulthandler prints the
// same two words ("Fatal Python error: Segmentation fault") for signals it merely reports: those are no such error.
#include <fmt/format.h>
#include <signal.h>

#include <array>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

constexpr std::string_view mark = "Fatal Python error: ";

bool is_report_of_signal(std::string_view text) {
  const auto at = text.find(mark);
  if (at == std::string_view::npos) return false;
  const auto rest = text.substr(at + mark.size());
  constexpr std::array names = {"Segmentation fault", "Aborted", "Bus error", "Floating", "Illegal instruction"};
  for (const std::string_view name : names)
    if (rest.starts_with(name)) return true;
  return false;
}

std::optional<std::size_t> own_words(const Facts& f) {
  const auto& texts = f.snapshot.texts;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i].kind == TextKind::python_fatal && !is_report_of_signal(texts[i].text)) return i;
  return std::nullopt;
}

std::optional<Finding> check(const Facts& f) {
  if (f.signal != SIGABRT) return std::nullopt;
  const auto text = own_words(f);
  const auto frame = first_with(f, Role::python_fatal);
  // Py_FatalError's names are exported everywhere: a stack that shows another caller of abort() is not its own.
  if (!frame && (!text || f.abort_caller)) return std::nullopt;
  std::string said = text ? one_line(f.snapshot.texts[*text].text, 150) : "it has said why on its stderr";
  if (const auto at = said.find(mark); at != std::string::npos) said.erase(0, at + mark.size());
  Finding out = finding(Cause::python_fatal_error, frame ? Strength::proven : Strength::strong,
                        fmt::format("the Python interpreter gave up: {}", said));
  if (text) out.evidence_for.push_back(fact("text", fmt::format("it says: {}", said), {text_ref(*text)}));
  if (frame)
    out.evidence_for.push_back(frame_fact(f, *frame, fmt::format("{} called abort", function_text(f, *frame))));
  if (!frame) out.rival = "a message left from an earlier failure";
  out.fix.push_back(
      "The interpreter's own state was broken, mostly by an extension (reference counts, a missing GIL): look at the "
      "native code called last.");
  out.whose = whose_of_frame(f, f.own);
  out.retryable = Retryable::unknown;
  return out;
}

}  // namespace

extern const Rule python_fatal_error{.title = "Python fatal error", .check = check};

}  // namespace sigwhy::diagnose::rules
