// All threads with all their frames, and the files their code came from.
#include <fmt/format.h>

#include <algorithm>

#include "evidence/names.h"
#include "report/details.h"
#include "report/places.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

std::string call_text(const Call& call) {
  auto text = call.symbol.empty() ? std::string("(no name)") : call.symbol;
  if (call.inlined) text += "  inlined";
  else if (call.frame->symbol_offset) text += fmt::format(" + {:#x}", *call.frame->symbol_offset);
  if (call.source) text += fmt::format("  {}:{}", call.source->file, call.source->line);
  if (call.module) text += "  " + std::string(base_name(call.module->path));
  if (call.module && !call.inlined && call.symbol.empty())
    text += fmt::format(" + {:#x}", call.frame->pc - call.module->start);
  if (call.frame->signal_frame) text += "  signal frame";
  if (!call.inlined && call.frame->trust != Trust::cfi) text += fmt::format("  by {}", to_name(call.frame->trust));
  return text;
}

std::string repetition_row(const Repetition& r) {
  auto text = fmt::format("{} from {} on repeat {} times", counted(r.period, "frame"), r.first, count_text(r.times));
  if (r.estimated_times) text += fmt::format(", about {} in the whole stack", count_text(*r.estimated_times));
  return text;
}

std::string python_text(const PythonFrame& frame) {
  auto text = fmt::format("{}  {}", frame.function, frame.file);
  if (frame.line) text += fmt::format(":{}", *frame.line);
  return frame.text ? text + "  " + *frame.text : text;
}

// Native and Python frames in the order of the calls: a native frame of the interpreter's loop stands behind the
// Python frames it runs. Where nobody knows which runs which, the Python frames come first.
void add_frames(const Snapshot& s, const Thread& thread, Section& section) {
  std::size_t shown = 0;
  const auto show_python = [&](std::size_t end) {
    for (; shown < std::min(end, thread.python.size()); ++shown)
      section.rows.push_back({{"python", "", python_text(thread.python[shown])}});
  };
  const bool merged = std::ranges::any_of(thread.frames, [](const Frame& f) { return f.python.has_value(); });
  if (!merged) show_python(thread.python.size());
  for (const auto& call : calls_of(s, thread)) {
    if (call.frame->python && !call.inlined) show_python(call.frame->python->first + call.frame->python->count);
    section.rows.push_back({{call.inlined ? "" : fmt::format("#{}", call.index),
                             call.inlined ? "" : fmt::format("{:#x}", call.frame->pc.value), call_text(call)}});
  }
  show_python(thread.python.size());
}

std::string thread_title(const Thread& thread) {
  auto title = fmt::format("Thread {} {}", thread.tid, thread.name);
  if (thread.python_name) title += fmt::format(" ({})", *thread.python_name);
  if (thread.died) title += ": died";
  if (thread.gil == GilState::holds) title += ", holds the GIL";
  if (thread.gil == GilState::waits) title += ", waits for the GIL";
  return title;
}

Section thread_section(const Snapshot& s, const Thread& thread) {
  Section section{thread_title(thread), {}};
  add_frames(s, thread, section);
  if (thread.frames.empty()) section.rows.push_back({{"no frame could be read"}});
  if (thread.repetition) section.rows.push_back({{"", "", repetition_row(*thread.repetition)}});
  if (thread.stack)
    section.rows.push_back({{"stack", "",
                             fmt::format("{:#x}-{:#x}, pointer {:#x}", thread.stack->low.value,
                                         thread.stack->high.value, thread.stack->pointer.value)}});
  return section;
}

Section module_section(const std::vector<Module>& modules) {
  Section section{"Files with code", {}};
  for (const auto& m : modules) {
    auto text = fmt::format("{}, {}", m.path, to_name(m.origin));
    if (m.package) text += " " + *m.package;
    if (m.build_id) text += ", build-id " + *m.build_id;
    if (m.file_changed) text += ", the file on disk has changed since";
    section.rows.push_back({{fmt::format("{:x}-{:x}", m.start.value, m.end.value), text}});
  }
  return section;
}

}  // namespace

std::vector<Section> thread_details(const Snapshot& s) {
  std::vector<Section> sections;
  for (const auto& thread : s.threads)
    if (thread.died) sections.push_back(thread_section(s, thread));
  for (const auto& thread : s.threads)
    if (!thread.died) sections.push_back(thread_section(s, thread));
  sections.push_back(module_section(s.modules));
  return sections;
}

}  // namespace sigwhy::report
