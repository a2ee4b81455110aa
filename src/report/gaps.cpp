#include "report/gaps.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "report/places.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t most_gaps = 3;

// Words long enough to carry meaning, in small letters.
std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (word.size() >= 4) words.insert(word);
    word.clear();
  };
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') word += static_cast<char>(std::tolower(c));
    else finish();
  }
  finish();
  return words;
}

// "build with -g" stands beside the frame already.
bool said_beside_a_frame(const Gap& gap, const std::vector<Row>& places) {
  constexpr std::string_view advice = "-g";
  if (gap.remedy.find(advice) == std::string::npos) return false;
  return std::ranges::any_of(places, [&](const Row& r) { return r.cells.back().find(advice) != std::string::npos; });
}

// Everything the report is about: its claims, what is certain, and the files it names.
std::set<std::string> subject_of(const Case& c, const std::vector<Row>& places) {
  std::string text;
  for (const auto& finding : c.diagnosis.findings) text += finding.claim + " " + finding.rival.value_or("") + " ";
  for (const auto& certain : c.diagnosis.certain) text += certain + " ";
  for (const auto& row : places) {
    for (const auto& cell : row.cells) text += cell + " ";
    text += row.source + " " + row.note + " ";
  }
  return words_of(text);
}

std::size_t shared_words(const Gap& gap, const std::set<std::string>& subject) {
  const auto words = words_of(gap.what + " " + gap.why);
  return static_cast<std::size_t>(std::ranges::count_if(words, [&](const auto& w) { return subject.contains(w); }));
}

}  // namespace

std::string gap_text(const Gap& gap) {
  auto text = gap.what;
  if (!gap.why.empty()) text += ": " + gap.why;
  if (!gap.remedy.empty()) text += " (" + gap.remedy + ")";
  return sentence(text);
}

Section not_seen_section(const Case& c) {
  Section section{"Not seen", {}};
  const auto& findings = c.diagnosis.findings;
  const bool known = c.diagnosis.verdict != Cause::unknown && !findings.empty();
  const auto strength = known ? findings[0].strength : Strength::weak;
  if (strength == Strength::proven) return section;

  const auto places = make_places(c.snapshot);
  const auto subject = subject_of(c, places);
  std::vector<std::pair<std::size_t, const Gap*>> ranked;
  for (const auto& gap : c.snapshot.gaps) {
    const auto score = shared_words(gap, subject);
    if (said_beside_a_frame(gap, places)) continue;
    if (score > 0 || strength < Strength::strong) ranked.emplace_back(score, &gap);
  }
  std::ranges::stable_sort(ranked, std::greater{}, [](const auto& r) { return r.first; });
  for (const auto& [score, gap] : ranked)
    if (section.rows.size() < most_gaps) section.rows.push_back({{gap_text(*gap)}});
  return section;
}

}  // namespace sigwhy::report
