#include "diagnose/library_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "diagnose/frame_roles.h"
#include "diagnose/function_names.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

const Library& library_at(const Snapshot& s, std::size_t i) { return s.inventory->libraries[i]; }

bool is_good(const Snapshot& s, const Library& library) { return library.module < s.modules.size(); }

// Where a copy is built into a larger file, that file's own functions are not the family's.
bool is_of_family(const Library& library, std::string_view function) {
  if (library.came_in != CameIn::built_in) return true;
  return library.family == "protobuf" && function.starts_with("google::protobuf::");
}

std::optional<std::size_t> copy_in(const Snapshot& s, const Copies& copies, std::uint64_t module) {
  for (const auto i : copies.libraries)
    if (library_at(s, i).module == module) return i;
  return std::nullopt;
}

bool is_passive(const Snapshot& s, const Copies& copies, const Frame& frame) {
  if (!frame.module || *frame.module >= s.modules.size()) return false;
  return is_runtime(family_of(s.modules[*frame.module])) || copy_in(s, copies, *frame.module);
}

// A jump to where no code is: the frame below it is the one that made it.
bool left_code(const Snapshot& s, const std::vector<Frame>& frames) {
  if (frames.empty() || frames[0].module) return false;
  const auto region = place_of(s, frames[0].pc).region;
  return !region || !is_executable(s.regions[*region]);
}

std::optional<CrossedCall> by_binding(const Snapshot& s, const Copies& copies, const Frame& callee,
                                      const Frame& caller) {
  const auto& all = s.inventory->crossings;
  const auto function = bare_name(callee.symbol.value_or(""));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].user != *caller.module || all[i].bound_to != *callee.module) continue;
    if (function.empty() || bare_name(all[i].symbol) != function) continue;
    const auto called = copy_in(s, copies, all[i].bound_to), expected = copy_in(s, copies, all[i].expected);
    if (called && expected) return CrossedCall{.called = *called, .expected = *expected, .binding = i};
  }
  return std::nullopt;
}

std::optional<CrossedCall> by_modules(const Snapshot& s, const Copies& copies, const Frame& callee,
                                      const Frame& caller) {
  const auto called = copy_in(s, copies, *callee.module), own = copy_in(s, copies, *caller.module);
  if (!called || !own) return std::nullopt;
  if (!is_of_family(library_at(s, *called), bare_name(callee.symbol.value_or(""))) ||
      !is_of_family(library_at(s, *own), bare_name(caller.symbol.value_or(""))))
    return std::nullopt;
  return CrossedCall{.called = *called, .expected = *own};
}

// "google::protobuf::internal::RepeatedPtrFieldBase" of a function of it; empty: of none. Names of namespaces begin with
// a small letter.
std::string class_of(const std::string& function) {
  auto scope = bare_name(function);
  scope.resize(scope.rfind("::") == scope.npos ? 0 : scope.rfind("::"));
  const auto last = scope.rfind(':');
  if (last == scope.npos || last + 1 == scope.size() || !std::isupper(static_cast<unsigned char>(scope[last + 1]))) return {};
  return scope;
}

std::optional<SplitClass> split_at(const Snapshot& s, const Copies& copies, const Frame& frame) {
  std::vector<std::string> names;
  if (frame.symbol) names.push_back(class_of(*frame.symbol));
  for (const auto& call : frame.inlined) names.push_back(class_of(call.symbol));
  const auto& all = s.inventory->crossings;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto name = class_of(all[i].symbol);
    if (all[i].user != *frame.module || name.empty() || std::ranges::count(names, name) == 0) continue;
    const auto called = copy_in(s, copies, all[i].bound_to), expected = copy_in(s, copies, all[i].expected);
    if (called && expected) return SplitClass{.name = name, .called = *called, .expected = *expected, .binding = i};
  }
  return std::nullopt;
}

std::string how_text(const Snapshot& s, const Library& l) {
  if (l.came_in == CameIn::built_in) return "built into it";
  if (l.came_in == CameIn::preloaded) return "preloaded";
  if (l.brought_by && *l.brought_by < s.modules.size())
    return "needed by " + one_line(file_name(s.modules[*l.brought_by].path), 60);
  return l.came_in == CameIn::opened ? "opened while it ran" : "";
}

std::string line_text(const ImportLine& line) { return fmt::format("{}:{}", file_name(line.file), line.line); }

}  // namespace

std::vector<Copies> doubled_families(const Snapshot& s) {
  std::map<std::pair<std::string, std::string>, Copies> by_part;
  if (s.inventory)
    for (std::size_t i = 0; i < s.inventory->libraries.size(); ++i) {
      const auto& library = library_at(s, i);
      if (!is_good(s, library)) continue;
      auto& copies = by_part[{library.family, library.part}];
      copies.family = library.family;
      copies.libraries.push_back(i);
    }
  std::vector<Copies> all;
  for (auto& [key, copies] : by_part)
    if (copies.libraries.size() > 1) all.push_back(std::move(copies));
  return all;
}

std::optional<CrossedCall> crossed_call(const Snapshot& s, std::size_t thread, std::string_view family) {
  if (thread >= s.threads.size()) return std::nullopt;
  const auto& frames = s.threads[thread].frames;
  for (const auto& copies : doubled_families(s)) {
    if (copies.family != family) continue;
    for (std::size_t i = left_code(s, frames) ? 1 : 0; i + 1 < frames.size() && is_passive(s, copies, frames[i]); ++i) {
      const Frame &callee = frames[i], &caller = frames[i + 1];
      if (!caller.module || *caller.module == *callee.module || caller.trust == Trust::scan) continue;
      auto found = by_binding(s, copies, callee, caller);
      if (!found) found = by_modules(s, copies, callee, caller);
      if (!found) continue;
      found->thread = thread;
      found->frame = i;
      return found;
    }
  }
  return std::nullopt;
}

std::optional<SplitClass> split_class(const Snapshot& s, std::size_t thread, std::string_view family) {
  if (thread >= s.threads.size()) return std::nullopt;
  const auto& frames = s.threads[thread].frames;
  for (const auto& copies : doubled_families(s)) {
    if (copies.family != family) continue;
    for (std::size_t i = 0; i < frames.size() && frames[i].module && frames[i].trust != Trust::scan; ++i) {
      auto found = split_at(s, copies, frames[i]);
      if (found) {
        found->thread = thread;
        found->frame = i;
        return found;
      }
      if (!is_passive(s, copies, frames[i])) break;
    }
  }
  return std::nullopt;
}

std::string copy_text(const Snapshot& s, std::size_t i) {
  const auto& l = library_at(s, i);
  auto text = l.name + (l.version ? " " + *l.version : "");
  text += fmt::format(" ({}", one_line(file_name(s.modules[l.module].path), 60));
  if (const auto how = how_text(s, l); !how.empty()) text += ", " + how;
  if (l.imported) text += fmt::format(", {}", line_text(*l.imported));
  return text + ")";
}

Fact copy_fact(const Snapshot& s, std::size_t i) {
  return fact("copy", copy_text(s, i) + " is loaded", {ref(fmt::format("/inventory/libraries/{}", i))});
}

Fact crossed_fact(const Snapshot& s, const CrossedCall& call) {
  const auto& frames = s.threads[call.thread].frames;
  const auto file = [&](const Frame& frame) { return one_line(file_name(s.modules[*frame.module].path), 60); };
  const auto name = [](const Frame& frame) {
    return frame.symbol ? shown_name(*frame.symbol) : std::string("a function without a name");
  };
  const Frame &callee = frames[call.frame], &caller = frames[call.frame + 1];
  const auto& own = library_at(s, call.expected);
  const auto linked = own.module == *caller.module ? std::string("which has a copy of its own")
                                                   : "which was linked with " +
                                                         one_line(file_name(s.modules[own.module].path), 60);
  std::vector<EvidenceRef> refs = {ref(fmt::format("/threads/{}/frames/{}", call.thread, call.frame)),
                                   ref(fmt::format("/threads/{}/frames/{}", call.thread, call.frame + 1))};
  if (call.binding) refs.push_back(ref(fmt::format("/inventory/crossings/{}", *call.binding)));
  return fact(crossing_fact,
              fmt::format("on the stack {} of {} was called by {} of {}, {}", name(callee), file(callee), name(caller),
                          file(caller), linked),
              std::move(refs));
}

bool died_by_its_own_doing(const Facts& f) {
  return f.signal && (f.raised == Raised::by_instruction || f.raised == Raised::by_itself);
}

bool may_differ(const Snapshot& s, const CrossedCall& call) {
  const auto &a = library_at(s, call.called), &b = library_at(s, call.expected);
  return a.name != b.name || !a.version || a.version != b.version;
}

std::optional<std::string> other_order_text(const Snapshot& s, std::size_t first, std::size_t second) {
  const auto &a = library_at(s, first).imported, &b = library_at(s, second).imported;
  if (!a || !b || (a->file == b->file && a->line == b->line)) return std::nullopt;
  const bool in_order = a->file != b->file || a->line < b->line;
  const auto &early = in_order ? *a : *b, &late = in_order ? *b : *a;
  return fmt::format("Or try the other order: {} (`{}`) before {} (`{}`).", line_text(late), one_line(late.text, 60),
                     line_text(early), one_line(early.text, 60));
}

}  // namespace sigwhy::diagnose
