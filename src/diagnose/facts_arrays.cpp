// Every array by the name its user gave it, and whether the Python line in question hands it on. Library code calls
// its arguments `a` and `x`; the name in the user's own frame is the one that says something.
#include <algorithm>

#include "diagnose/facts_parts.h"
#include "evidence/python_source.h"

namespace sigwhy::diagnose {

namespace {

const PythonFrame* frame_of(const Facts& f, const Holder& h) {
  if (!h.thread || !h.frame || *h.thread >= f.snapshot.threads.size()) return nullptr;
  const auto& frames = f.snapshot.threads[*h.thread].python;
  return *h.frame < frames.size() ? &frames[*h.frame] : nullptr;
}

bool is_users(const Facts& f, const Holder& h) {
  if (h.module) return true;  // only modules of the user's own files are walked
  const auto* frame = frame_of(f, h);
  return frame && !is_library_file(frame->file);
}

// Plain names before paths, short ones before long ones.
bool is_nicer(const Holder& a, const Holder& b) {
  const auto steps = [](const Holder& h) { return std::ranges::count_if(h.name, [](char c) { return c == '.' || c == '['; }); };
  return std::pair(steps(a), a.name.size()) < std::pair(steps(b), b.name.size());
}

const Holder* nicest(const Facts& f, const Array& a, bool users) {
  const Holder* best = nullptr;
  for (const auto& h : a.holders)
    if (is_users(f, h) == users && (!best || is_nicer(h, *best))) best = &h;
  return best;
}

const Array* named_base(const Facts& f, const Array& a) {
  for (const auto& base : a.base)
    for (const auto& other : f.snapshot.arrays)
      if (other.object == base.object && &other != &a && nicest(f, other, true)) return &other;
  return nullptr;
}

std::string name_of(const Facts& f, const Array& a) {
  if (const auto* h = nicest(f, a, true)) return "`" + h->name + "`";
  if (const auto* base = named_base(f, a)) return "a view of `" + nicest(f, *base, true)->name + "`";
  if (const auto* h = nicest(f, a, false)) return "`" + h->name + "`";
  return "`" + a.name + "`";
}

bool is_argument(const PythonFrame& frame, const std::string& name) {
  return std::ranges::any_of(frame.values, [&](const PyValue& v) { return v.argument && v.name == name; });
}

// Handed on by this frame's line. Where the line cannot be read, only what the function itself was given counts.
bool hands_on(const PythonFrame& frame, const std::string& name) {
  return frame.text ? mentions(*frame.text, name) : is_argument(frame, name);
}

bool is_at_line(const Facts& f, const Array& a) {
  return std::ranges::any_of(a.holders, [&](const Holder& h) {
    const auto* frame = frame_of(f, h);
    return frame && *h.thread == f.python->thread && *h.frame <= f.python->frame && hands_on(*frame, h.name);
  });
}

}  // namespace

void add_arrays(Facts& f) {
  for (const auto& a : f.snapshot.arrays)
    f.arrays.push_back({.name = name_of(f, a),
                        .users = nicest(f, a, true) != nullptr,
                        .at_line = f.python && is_at_line(f, a),
                        .elements = elements_of(a),
                        .memory = memory_of(a),
                        .leaves_memory = leaves_memory(a)});
}

}  // namespace sigwhy::diagnose
