// Calls an action with every noun of a case that it takes, wherever that is kept: a field added later is reached as
// well.
#pragma once
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "evidence/describe.h"

namespace sigwhy {

template <class Action> struct EachNoun {
  Action& action;

  template <class T> void field(const char*, T& member, const char*) { value(member); }

  void value(std::string&) {}
  template <class T> void value(std::optional<T>& x) {
    if (x) value(*x);
  }
  template <class T> void value(std::vector<T>& list) {
    if constexpr (!std::is_arithmetic_v<T>)
      for (auto& item : list) value(item);
  }
  template <class T> void value(std::map<std::string, T>& map) {
    for (auto& [key, item] : map) value(item);
  }
  template <class T> void value(T& x) {
    if constexpr (std::invocable<Action&, T&>) action(x);
    if constexpr (!std::is_enum_v<T> && !std::is_arithmetic_v<T> && !std::is_same_v<T, Address>) describe(*this, x);
  }
};

template <class Noun, class Action> void each_noun(Noun& noun, Action action) { EachNoun<Action>{action}.value(noun); }

}  // namespace sigwhy
