#include "evidence/redact.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <type_traits>
#include <utility>

#include "evidence/describe.h"
#include "evidence/secrets.h"

namespace sigwhy {

namespace {

// Free text: what the program said or was given, and our sentences that quote it. All other strings are names,
// paths and hex digits, in which a long random-looking part is no secret.
const std::set<std::string_view> free_text = {
    "text", "what",   "argv",    "switches",   "claim",       "sentence", "rival",      "fix",
    "why",  "remedy", "certain", "prediction", "unexplained", "command",  "looks_like", "detail", "message"};

std::string without_surely_secret(std::string_view text) {
  using namespace secrets;
  return without_named_values(without_url_users(without_known_shapes(text)));
}

// Walks every field that has a description, so that a field added later is covered as well.
struct Redactor {
  const Redaction& redaction;
  std::string_view name = "";

  template <class T> void field(const char* field_name, T& member, const char*) {
    Redactor{redaction, field_name}.value(member);
  }

  void value(std::string& text) {
    text = free_text.contains(name) ? redact_text(text, redaction) : without_surely_secret(text);
  }
  void value(std::vector<std::string>& list) {
    if (name == "argv") list = redact_arguments(std::move(list), redaction);
    else
      for (auto& text : list) value(text);
  }
  void value(std::map<std::string, std::string>& map) {
    for (auto& [key, text] : map) {
      if (secrets::is_secret_name(key)) text = secrets::blank;
      else value(text);
    }
  }
  template <class T> void value(std::optional<T>& x) {
    if (x) value(*x);
  }
  template <class T> void value(std::vector<T>& list) {
    for (auto& item : list) value(item);
  }
  template <class T> void value(std::map<std::string, T>& map) {
    for (auto& [key, item] : map) value(item);
  }
  template <class T> void value(T& x) {
    if constexpr (!std::is_enum_v<T> && !std::is_arithmetic_v<T> && !std::is_same_v<T, Address>) describe(*this, x);
  }
};

std::string length_of(std::string_view text) { return "text, " + std::to_string(text.size()) + " characters"; }

// ---- hide_texts: what the program said goes, also where our own sentences quote it

constexpr std::size_t shortest_quote = 8;
constexpr std::size_t shortest_said = 4;

// Stretches of `sentence` that stand in `said` too.
std::string without_quotes_of(std::string_view said, const std::string& sentence) {
  std::string safe;
  for (std::size_t i = 0; i < sentence.size();) {
    std::size_t length = 0;
    while (i + length < sentence.size() &&
           said.find(std::string_view(sentence).substr(i, length + 1)) != std::string_view::npos)
      ++length;
    const bool quoted = length >= std::min(shortest_quote, said.size());
    safe += quoted ? std::string(secrets::blank) : sentence.substr(i, 1);
    i += quoted ? length : 1;
  }
  return safe;
}

void hide_texts(Case& c) {
  std::vector<std::string> said;
  const auto hide = [&](std::string& text) {
    if (text.size() >= shortest_said) said.push_back(text);
    text = length_of(text);
  };
  for (auto& text : c.snapshot.texts) hide(text.text);
  for (auto& exception : c.snapshot.exceptions)
    if (exception.what) hide(*exception.what);
  for (auto& exception : c.snapshot.python_exceptions) hide(exception.message);
  const auto clean = [&](std::string& sentence) {
    for (const auto& text : said) sentence = without_quotes_of(text, sentence);
  };
  for (auto& finding : c.diagnosis.findings) {
    clean(finding.claim);
    for (auto* facts : {&finding.evidence_for, &finding.evidence_against})
      for (auto& fact : *facts) clean(fact.sentence);
    if (finding.rival) clean(*finding.rival);
    std::ranges::for_each(finding.fix, clean);
  }
  std::ranges::for_each(c.diagnosis.certain, clean);
  std::ranges::for_each(c.diagnosis.unexplained, clean);
}

bool is_flag(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !std::isdigit(static_cast<unsigned char>(word[1]));
}

// curl -u ada:secret; but docker -u 1000:1000
bool is_user_and_password(std::string_view flag, std::string_view value) {
  const auto colon = value.find(':');
  return (flag == "-u" || flag == "--user") && colon != std::string_view::npos &&
         value.find_first_not_of("0123456789:") != std::string_view::npos;
}

}  // namespace

std::string redact_text(std::string_view text, const Redaction& redaction) {
  auto safe = without_surely_secret(text);
  return redaction.values ? safe : secrets::without_random_words(safe);
}

std::vector<std::string> redact_arguments(std::vector<std::string> argv, const Redaction& redaction) {
  std::string flag;
  for (auto& word : argv) {
    const bool follows = is_flag(flag) && flag.find('=') == std::string::npos && !word.starts_with("--");
    const auto previous = std::exchange(flag, word);
    if (follows && secrets::is_secret_name(previous)) word = secrets::blank;
    else if (follows && is_user_and_password(previous, word))
      word = word.substr(0, word.find(':') + 1) + std::string(secrets::blank);
    else word = redact_text(word, redaction);
  }
  return argv;
}

Case redact(Case c, const Redaction& redaction) {
  if (redaction.hide_texts) hide_texts(c);
  Redactor{redaction}.value(c);
  return c;
}

}  // namespace sigwhy
