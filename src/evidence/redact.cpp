#include "evidence/redact.h"

#include <algorithm>
#include <set>
#include <type_traits>
#include <utility>

#include "evidence/each_noun.h"
#include "evidence/hidden_texts.h"
#include "evidence/secrets.h"
#include "evidence/source_literals.h"

namespace sigwhy {

namespace {

// Free text: what the program said or was given, and our sentences that quote it. All other strings are names,
// paths and hex digits, in which a long random-looking part is no secret.
const std::set<std::string_view> free_text = {
    "text", "what",   "argv",    "switches",   "claim",       "sentence", "rival",      "fix",
    "why",  "remedy", "certain", "prediction", "unexplained", "command",  "looks_like", "detail", "message"};

// Walks every field that has a description, so that a field added later is covered as well.
struct Redactor {
  const Redaction& redaction;
  const std::set<std::string>& known;  // values whose names say that they are secret
  std::string_view name = "";

  template <class T> void field(const char* field_name, T& member, const char*) {
    Redactor{redaction, known, field_name}.value(member);
  }

  void value(std::string& text) {
    text = free_text.contains(name) ? redact_text(without_quoted(text, known), redaction) : secrets::without_surely_secret(text);
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

// What a variable or member holds whose name says that it is secret; sentences and messages quote such a value.
std::set<std::string> hide_secret_values(Case& c) {
  std::set<std::string> known;
  const auto hide = [&](auto& v) {
    if (!v.text || !secrets::may_hold_secret(*v.text)) return;
    if (v.text->size() > 2 && v.text->front() == '\'') known.insert(v.text->substr(1, v.text->size() - 2));
    v.text = secrets::blank;
  };
  each_noun(c, [&](PyValue& v) {
    const bool all = secrets::holds_secret(v.name, v.text.value_or(""));
    if (all) hide(v);
    for (auto& item : v.items)
      if (all || secrets::holds_secret(item.name, item.text.value_or(""))) hide(item);
  });
  return known;
}

}  // namespace

Case redact(Case c, const Redaction& redaction) {
  if (redaction.hide_texts) hide_texts(c);
  const auto known = hide_secret_values(c);
  Redactor{redaction, known}.value(c);
  return c;
}

}  // namespace sigwhy
