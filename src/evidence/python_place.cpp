#include "evidence/python_place.h"

#include <algorithm>
#include <functional>
#include <set>

#include "evidence/own_code.h"

namespace sigwhy {

namespace {

// The libraries of the innermost call, up to the interpreter that made it: a package's name, else the file's.
std::set<std::string> libraries_of(const Snapshot& s, const Thread& thread) {
  std::set<std::string> found;
  for (const auto& frame : thread.frames) {
    if (!frame.module || *frame.module >= s.modules.size()) continue;
    const Module& module = s.modules[*frame.module];
    if (module.origin == Origin::interpreter) break;
    if (module.origin == Origin::package || module.origin == Origin::user)
      found.insert(module.package.value_or(module.path));
  }
  return found;
}

std::optional<std::size_t> waiting_thread(const Snapshot& s, std::size_t dying) {
  const auto wanted = libraries_of(s, s.threads[dying]);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < s.threads.size(); ++i) {
    if (i == dying || s.threads[i].python.empty()) continue;
    const auto own = libraries_of(s, s.threads[i]);
    if (std::ranges::none_of(own, [&](const std::string& name) { return wanted.contains(name); })) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

bool is_users(const Snapshot& s, const Holder& h) {
  if (h.module) return true;  // only modules of the user's own files are walked
  if (!h.thread || !h.frame || *h.thread >= s.threads.size()) return false;
  const auto& frames = s.threads[*h.thread].python;
  return *h.frame < frames.size() && is_own_code(frames[*h.frame]);
}

// Plain names before paths, short ones before long ones.
bool is_nicer(const Holder& a, const Holder& b) {
  const auto steps = [](const Holder& h) {
    return std::ranges::count_if(h.name, [](char c) { return c == '.' || c == '['; });
  };
  return std::pair(steps(a), a.name.size()) < std::pair(steps(b), b.name.size());
}

const Holder* nicest(const Snapshot& s, const Array& a, bool users) {
  const Holder* best = nullptr;
  for (const auto& h : a.holders)
    if (is_users(s, h) == users && (!best || is_nicer(h, *best))) best = &h;
  return best;
}

// An array that many hold keeps only a few of its holders; a variable of the user's own may still be one.
std::optional<std::string> users_variable(const Snapshot& s, const Array& a) {
  const std::less<const Array*> before;
  if (s.arrays.empty() || before(&a, &s.arrays.front()) || before(&s.arrays.back(), &a)) return std::nullopt;
  const auto index = static_cast<std::uint64_t>(&a - s.arrays.data());
  for (const auto& thread : s.threads)
    for (const auto& frame : thread.python) {
      if (!is_own_code(frame)) continue;
      const auto found = std::ranges::find_if(frame.values, [&](const PyValue& v) { return v.array == index; });
      if (found != frame.values.end()) return found->name;
    }
  return std::nullopt;
}

}  // namespace

// Of a living process the main thread.
std::optional<std::size_t> dying_index(const Snapshot& s) {
  const bool living = s.termination.kind == TerminationKind::running || s.termination.kind == TerminationKind::hung;
  const auto died =
      std::ranges::find_if(s.threads, [&](const Thread& t) { return living ? t.tid == s.process.pid : t.died; });
  if (died != s.threads.end()) return static_cast<std::size_t>(died - s.threads.begin());
  if (s.fault && s.fault->thread < s.threads.size()) return s.fault->thread;
  return std::nullopt;
}

std::optional<PythonPlace> python_place(const Snapshot& s) {
  const auto dying = dying_index(s);
  if (!dying) return std::nullopt;
  if (!s.threads[*dying].python.empty()) return PythonPlace{*dying, first_own(s.threads[*dying].python).value_or(0), false};
  const auto waiting = waiting_thread(s, *dying);
  if (!waiting) return std::nullopt;
  return PythonPlace{*waiting, first_own(s.threads[*waiting].python).value_or(0), true};
}

ArrayName name_of(const Snapshot& s, const Array& a) {
  // A weight deep inside a model is known by its layer, not by the framework's private attributes.
  const auto inside = [](const std::string& path) { return path.find("._") != path.npos; };
  if (const auto* h = nicest(s, a, true)) return {a.label && inside(h->name) ? *a.label : h->name, true, false};
  if (auto name = users_variable(s, a)) return {std::move(*name), true, false};
  for (const auto& base : a.base)
    for (const auto& other : s.arrays)
      if (other.object == base.object && &other != &a)
        if (const auto* h = nicest(s, other, true)) return {h->name, false, true};
  if (const auto* h = nicest(s, a, false)) return {h->name, false, false};
  return {a.name, false, false};
}

}  // namespace sigwhy
