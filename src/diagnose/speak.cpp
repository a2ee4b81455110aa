#include "diagnose/speak.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "diagnose/python_failure.h"

namespace sigwhy::diagnose {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.' || c == '/';
}

// What a traceback puts on the screen: messages, places and source lines. A program that catches the error and leaves
// with sys.exit() shows none, at most the message.
std::string printed(const Snapshot& s, bool only_messages) {
  std::string text;
  const bool shows_frames =
      !only_messages && (s.python_exceptions.empty() || s.python_exceptions[0].type != "SystemExit");
  for (const auto& e : s.python_exceptions) {
    text += e.type + ": " + e.message + "\n";
    if (!shows_frames) continue;
    for (const auto& frame : e.traceback)
      text += frame.file + " " + std::to_string(frame.line.value_or(0)) + " " + frame.function + " " +
              frame.text.value_or("") + "\n";
  }
  return text;
}

// A name or a number, as opposed to a word of English: `labels`, rows[17], 2.0, data.npz, f(), SIGKILL.
bool is_particular(std::string_view word, bool quoted, char next) {
  if (quoted || next == '[' || next == '(') return true;
  if (std::ranges::any_of(word, is_digit) || word.find('_') != std::string_view::npos) return true;
  const auto dot = word.find('.');
  if (dot != std::string_view::npos && dot > 0 && dot + 1 < word.size()) return true;
  return word.starts_with("SIG");
}

bool holds_word(const std::string& text, std::string_view word) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !in_word(text[at - 1]) || text[at - 1] == '/' || text[at - 1] == '.';
    const auto end = at + word.size();
    if (starts && (end >= text.size() || !in_word(text[end]) || text[end] == '.')) return true;
  }
  return false;
}

// 60,000 is written 60000 elsewhere, and (64,784) is two numbers.
bool is_said(const std::string& said, const std::string& word) {
  std::string joined;
  bool parts = true;
  for (std::size_t at = 0; at <= word.size();) {
    const auto end = std::min(word.find(',', at), word.size());
    const auto part = word.substr(at, end - at);
    joined += part;
    parts = parts && holds_word(said, part);
    at = end + 1;
  }
  return parts || holds_word(said, joined);
}

// Does the claim hold a name or a number that nobody has said yet?
bool says_more(const std::string& claim, const std::string& said) {
  bool quoted = false;
  const auto at_digit = [&](std::size_t at) { return at < claim.size() && is_digit(claim[at]); };
  for (std::size_t at = 0; at < claim.size();) {
    if (claim[at] == '`') quoted = !quoted;
    if (!in_word(claim[at])) {
      ++at;
      continue;
    }
    const auto start = at;
    while (at < claim.size() && (in_word(claim[at]) || (claim[at] == ',' && at_digit(at - 1) && at_digit(at + 1))))
      ++at;
    auto word = claim.substr(start, at - start);
    const char next = at < claim.size() ? claim[at] : '\0';
    while (word.ends_with('.')) word.pop_back();
    // `batch` is a list: a message about the shapes of its elements leaves that out
    const bool type = std::string_view(claim).substr(0, start).ends_with("` is a ");
    const bool cut = claim.ends_with("...") && at + 1 >= claim.size();
    if (!cut && (type || is_particular(word, quoted, next)) && !is_said(said, word)) return true;
  }
  return false;
}

// It rests on a look at the disk, which no traceback shows: into a file, or for another module of the same name.
bool was_looked_at(const Finding& finding) {
  const auto by_look = [](const Fact& fact) { return fact.id == "walk" || fact.id == "hidden-module"; };
  return std::ranges::any_of(finding.evidence_for, by_look);
}

}  // namespace

bool worth_saying(const Case& c) {
  const auto& end = c.snapshot.termination;
  if (end.kind != TerminationKind::exited) return true;
  const auto& findings = c.diagnosis.findings;
  const bool guard_found = c.snapshot.guarded_heap && c.snapshot.guarded_heap->stop;
  if (guard_found && !findings.empty() && findings.front().strength == Strength::proven) return true;
  if (end.exit_code == 0 || findings.empty() || findings.front().strength < Strength::strong) return false;
  if (was_looked_at(findings.front())) return true;
  // Which of the files on its way it was that the reader could not take, no source line says.
  const bool about_file = findings.front().cause == Cause::corrupt_input;
  return !python_failure_of(c.snapshot) || says_more(findings.front().claim, printed(c.snapshot, about_file));
}

}  // namespace sigwhy::diagnose
