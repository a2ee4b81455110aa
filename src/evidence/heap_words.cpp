#include "evidence/heap_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "evidence/own_code.h"

namespace sigwhy {

namespace {

std::string base_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

// "void crop<int>(int*)" -> "crop"
std::string bare(std::string_view symbol) {
  std::string name;
  int depth = 0;
  for (const char c : symbol) {
    if (c == '(' && depth == 0 && !name.empty()) break;
    if (c == '<') ++depth;
    else if (c == '>' && depth > 0) --depth;
    else if (depth == 0) name += c;
  }
  const auto blank = name.rfind(' ');
  return blank == std::string::npos || name.starts_with("operator") ? name : name.substr(blank + 1);
}

const Module* module_of(const Snapshot& s, const Frame& frame) {
  return frame.module && *frame.module < s.modules.size() ? &s.modules[*frame.module] : nullptr;
}

bool is_own(const Module* module) {
  return module && (module->origin == Origin::program || module->origin == Origin::user);
}

// One call of a frame: a function that was inlined there, or the one around it.
struct Place {
  std::string_view symbol;
  const Source* source = nullptr;
  const Module* module = nullptr;
};

std::vector<Place> places_of(const Snapshot& s, const HeapEvent& event) {
  std::vector<Place> places;
  for (const Frame& f : event.frames) {
    const Module* module = module_of(s, f);
    for (const auto& call : f.inlined) places.push_back({call.symbol, call.source ? &*call.source : nullptr, module});
    places.push_back({f.symbol ? std::string_view(*f.symbol) : std::string_view(), f.source ? &*f.source : nullptr, module});
  }
  return places;
}

// The standard library's containers are compiled into the user's own program, and allocate for him.
bool is_standard(const Place& p) {
  if (p.source)
    for (const std::string_view prefix : {"/usr/include/", "/usr/lib/", "/usr/local/include/"})
      if (p.source->file.starts_with(prefix)) return true;
  const auto name = bare(p.symbol);
  return name.starts_with("std::") || name.starts_with("__gnu_cxx::") || name.starts_with("operator new");
}

std::string place_text(const Place& p) {
  const auto function = p.symbol.empty() ? std::string() : bare(p.symbol) + "()";
  if (p.source) return (function.empty() ? std::string() : function + " ") + fmt::format("{}:{}", base_name(p.source->file), p.source->line);
  if (!p.module) return function;
  return (function.empty() ? "code" : function) + " in " + base_name(p.module->path);
}

}  // namespace

std::string native_place_text(const Snapshot& s, const HeapEvent& event) {
  const auto places = places_of(s, event);
  const auto own = std::ranges::find_if(places, [](const Place& p) { return is_own(p.module) && !p.symbol.empty() && !is_standard(p); });
  return own == places.end() ? std::string() : place_text(*own);
}

std::string python_place_text(const HeapEvent& event) {
  if (event.python.empty()) return {};
  const auto& frame = event.python[first_own(event.python).value_or(0)];
  return frame.line ? fmt::format("{}:{}", base_name(frame.file), *frame.line) : base_name(frame.file);
}

std::string heap_place_text(const Snapshot& s, const HeapEvent& event) {
  const auto native = native_place_text(s, event), python = python_place_text(event);
  if (!native.empty()) return python.empty() ? native : native + ", called at " + python;
  if (!python.empty()) return python;
  const auto places = places_of(s, event);
  return places.empty() ? std::string() : place_text(places.front());
}

}  // namespace sigwhy
