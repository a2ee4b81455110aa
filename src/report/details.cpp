#include "report/details.h"

#include <fmt/format.h>

#include "evidence/names.h"
#include "report/experiments.h"
#include "report/gaps.h"
#include "report/heap_rows.h"
#include "report/memory_over_time.h"
#include "report/memory_holders.h"
#include "report/value_rows.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

void add_facts(Section& section, const char* label, const std::vector<Fact>& facts) {
  for (const auto& fact : facts) {
    std::vector<std::string> paths;
    for (const auto& ref : fact.evidence) paths.push_back(ref.path);
    section.rows.push_back(
        {{label, fact.sentence + (paths.empty() ? "" : fmt::format("  [{}]", fmt::join(paths, " ")))}});
  }
}

Section finding_section(const Finding& f) {
  Section section{fmt::format("Finding: {} {}", to_name(f.strength), to_name(f.cause)), {}};
  section.rows.push_back({{"claim", f.claim}});
  section.rows.push_back({{"rule", f.rule}});
  if (f.explains) section.rows.push_back({{"explains", std::string(to_name(*f.explains))}});
  add_facts(section, "for", f.evidence_for);
  add_facts(section, "against", f.evidence_against);
  if (f.rival) section.rows.push_back({{"rival", *f.rival}});
  for (const auto& line : f.fix) section.rows.push_back({{"fix", line}});
  section.rows.push_back({{"whose", std::string(to_name(f.whose))}});
  section.rows.push_back({{"retryable", std::string(to_name(f.retryable))}});
  if (f.prediction) section.rows.push_back({{"prediction", *f.prediction}});
  return section;
}

Section list_section(const char* title, const std::vector<std::string>& lines) {
  Section section{title, {}};
  for (const auto& line : lines) section.rows.push_back({{line}});
  return section;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<Section> text_details(const Snapshot& s) {
  std::vector<Section> sections;
  for (const auto& text : s.texts)
    sections.push_back(list_section(fmt::format("Text: {}", to_name(text.kind)).c_str(), lines_of(text.text)));
  for (const auto& exception : s.exceptions) {
    Section section{"C++ exception", {{{"type", exception.type}}}};
    for (const auto& base : exception.bases) section.rows.push_back({{"is a", base}});
    if (exception.what) section.rows.push_back({{"what()", *exception.what}});
    if (exception.object) section.rows.push_back({{"object", hex_text(*exception.object)}});
    sections.push_back(std::move(section));
  }
  return sections;
}

Section gap_details(const Snapshot& s) {
  Section section{"Not seen", {}};
  for (const auto& gap : s.gaps) section.rows.push_back({{gap_text(gap)}});
  return section;
}

}  // namespace

std::vector<Section> finding_details(const Diagnosis& d) {
  std::vector<Section> sections;
  for (const auto& finding : d.findings) sections.push_back(finding_section(finding));
  sections.push_back(list_section("Certain", d.certain));
  sections.push_back(list_section("Not explained", d.unexplained));
  return sections;
}

std::vector<Section> make_details(const Case& c) {
  std::vector<Section> sections;
  const auto add = [&](std::vector<Section> more) {
    for (auto& section : more)
      if (!section.rows.empty()) sections.push_back(std::move(section));
  };
  add(finding_details(c.diagnosis));
  add(experiment_details(c));
  add(process_details(c.snapshot));
  add(fault_details(c.snapshot));
  add(heap_details(c.snapshot));
  if (c.snapshot.termination.kind != TerminationKind::running) add(memory_sections(c.snapshot));
  add(timeline_details(c.snapshot));
  add(value_details(c.snapshot));
  add(library_details(c.snapshot));
  add(text_details(c.snapshot));
  add(thread_details(c.snapshot));
  add({gap_details(c.snapshot)});
  add({{"Case", {{{"made", second_text(c.made_unix_ms)}}, {{"by", "sigwhy " + c.sigwhy_version}}}}});
  return sections;
}

}  // namespace sigwhy::report
