#include "report/verification.h"

#include <fmt/format.h>

#include <algorithm>

#include "evidence/names.h"
#include "report/page.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

std::string flaw_text(const Flaw& flaw) {
  auto text = fmt::format("broken at byte\u00a0{}", count_text(flaw.offset));
  if (!flaw.inside.empty()) text += " of " + flaw.inside;
  if (!flaw.where.empty()) text += fmt::format(" ({})", flaw.where);
  return flaw.what.empty() ? text : text + ": " + flaw.what;
}

std::string verdict_text(const Checked& checked) {
  switch (checked.soundness) {
    case Soundness::sound: return checked.holds.empty() ? "sound" : "sound, " + checked.holds;
    case Soundness::broken: return checked.flaw ? flaw_text(*checked.flaw) : "broken";
    case Soundness::not_checked: return "not checked: " + checked.why;
    case Soundness::unknown_format: break;
  }
  return "unknown format";
}

// "3 files: 2 sound, 1 broken"
std::string counts_text(const Verification& verification) {
  std::string text;
  for (const auto& [soundness, name] : names(Soundness{})) {
    std::uint64_t n = 0;
    for (const auto& file : verification.files) n += file.checked.soundness == soundness;
    if (n == 0) continue;
    std::string words(name);
    std::replace(words.begin(), words.end(), '-', ' ');
    text += fmt::format("{} {}\u00a0{}", text.empty() ? "" : ",", count_text(n), words);
  }
  return counted(verification.files.size(), "file") + ":" + text;
}

}  // namespace

std::string draw_verification(const Verification& verification, const Look& look) {
  Page page(look);
  for (const auto& file : verification.files) {
    const bool is_broken = file.checked.soundness == Soundness::broken;
    page.paragraph(file.path + ": " + verdict_text(file.checked), 0, 4, is_broken ? Ink::red : Ink::plain);
    for (const auto& remark : file.checked.remarks) page.paragraph(remark, 4, 6);
  }
  if (verification.files.size() > 1) page.paragraph(counts_text(verification), 0, 4, Ink::dim);
  return page.take();
}

}  // namespace sigwhy::report
