#include "evidence/hidden_texts.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "evidence/each_noun.h"
#include "evidence/secrets.h"
#include "evidence/source_literals.h"

namespace sigwhy {

namespace {

constexpr std::size_t shortest_quote = 8;
constexpr std::size_t shortest_said = 4;
constexpr std::string_view length_starts = "text, ", length_ends = " characters";

std::string length_of(std::string_view text) {
  return std::string(length_starts) + std::to_string(text.size()) + std::string(length_ends);
}

bool is_length(std::string_view text) {
  if (!text.starts_with(length_starts) || !text.ends_with(length_ends)) return false;
  text.remove_prefix(length_starts.size());
  text.remove_suffix(std::min(length_ends.size(), text.size()));
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// A quotation begins with a word: "assertion" is ours, though "ssertion" stands in what glibc said.
bool may_begin(std::string_view sentence, std::size_t at) {
  return sentence[at] != ' ' && (at == 0 || !is_word(sentence[at - 1]) || !is_word(sentence[at]));
}

// Stretches of `sentence` that stand in `said` too.
std::string without_quotes_of(std::string_view said, const std::string& sentence) {
  std::string safe;
  for (std::size_t i = 0; i < sentence.size();) {
    std::size_t length = 0;
    while (may_begin(sentence, i) && i + length < sentence.size() &&
           said.find(std::string_view(sentence).substr(i, length + 1)) != std::string_view::npos)
      ++length;
    while (length > 0 && sentence[i + length - 1] == ' ') --length;
    const bool quoted = length >= std::min(shortest_quote, said.size());
    safe += quoted ? std::string(secrets::blank) : sentence.substr(i, 1);
    i += quoted ? length : 1;
  }
  return safe;
}

struct Said {
  std::string text;
  std::string only_below;  // of a log: the path that a finding must refer to; empty: any sentence may quote it
};

struct Hider {
  std::vector<Said> said;
  std::set<std::string> literals;

  void hide(std::string& text, std::string only_below = "") {
    if (text.size() >= shortest_said) said.push_back({text, std::move(only_below)});
    text = length_of(text);
  }

  void hide_in(Snapshot& s, std::string_view place) {
    for (std::size_t i = 0; i < s.texts.size(); ++i) {
      const bool log = s.texts[i].kind == TextKind::stderr_tail;
      hide(s.texts[i].text, log ? std::string(place) + "/texts/" + std::to_string(i) : "");
    }
    for (auto& exception : s.exceptions)
      if (exception.what) hide(*exception.what);
    for (auto& exception : s.python_exceptions) hide(exception.message);
    if (s.guarded_heap)
      for (auto& block : s.guarded_heap->blocks)
        if (block.damage) hide(block.damage->found_at);  // what the program wrote there
  }

  void hide_literals(std::string& line) { line = without_literals(line, literals); }
  void hide_literals(std::optional<std::string>& line) {
    if (line) hide_literals(*line);
  }

  void clean(std::string& sentence, const Finding* of = nullptr) const;
  void clean(Finding& finding) const;
};

bool refers_to(const Finding& finding, std::string_view path) {
  const auto in = [&](const std::vector<Fact>& facts) {
    return std::ranges::any_of(facts, [&](const Fact& fact) {
      return std::ranges::any_of(fact.evidence, [&](const EvidenceRef& ref) { return ref.path == path; });
    });
  };
  return in(finding.evidence_for) || in(finding.evidence_against);
}

void Hider::clean(std::string& sentence, const Finding* of) const {
  for (const auto& [text, only_below] : said)
    if (only_below.empty() || (of && refers_to(*of, only_below))) sentence = without_quotes_of(text, sentence);
  sentence = without_quoted(sentence, literals);
}

void Hider::clean(Finding& finding) const {
  clean(finding.claim, &finding);
  for (auto* facts : {&finding.evidence_for, &finding.evidence_against})
    for (auto& fact : *facts) clean(fact.sentence, &finding);
  if (finding.rival) clean(*finding.rival, &finding);
  for (auto& line : finding.fix) clean(line, &finding);
}

// Numbers, True and None are read of every variable unless values were not wanted.
bool is_plain(const PyValue& v) {
  return v.type == "int" || v.type == "float" || v.type == "bool" || v.type == "NoneType";
}

}  // namespace

void hide_texts(Case& c) {
  Hider hider;
  hider.hide_in(c.snapshot, "");
  if (c.proof) hider.hide_in(*c.proof, "/proof");
  each_noun(
      c, [&]<class Line>(Line & line) requires std::same_as<Line, Source> || std::same_as<Line, PythonFrame> ||
             std::same_as<Line, AddingLine> || std::same_as<Line, ImportLine> { hider.hide_literals(line.text); });
  for (auto& finding : c.diagnosis.findings) hider.clean(finding);
  for (auto& sentence : c.diagnosis.certain) hider.clean(sentence);
  for (auto& sentence : c.diagnosis.unexplained) hider.clean(sentence);
}

bool is_hidden(const Case& c) {
  const Snapshot& s = c.snapshot;
  if (std::ranges::any_of(s.texts, [](const Text& t) { return is_length(t.text); })) return true;
  if (std::ranges::any_of(s.python_exceptions, [](const PyException& e) { return is_length(e.message); })) return true;
  if (std::ranges::any_of(s.exceptions, [](const CppException& e) { return e.what && is_length(*e.what); }))
    return true;
  bool unread = false, read = false;
  Case copy = c;
  each_noun(copy, [&](PyValue& v) { (v.text ? read : unread) |= v.text || is_plain(v); });
  return unread && !read;
}

}  // namespace sigwhy
