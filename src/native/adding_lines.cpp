#include "native/adding_lines.h"

#include <algorithm>

#include "evidence/adding_line.h"
#include "evidence/own_code.h"
#include "native/source_text.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_names = 16, most_files = 16;
constexpr std::uint64_t long_container = 10'000;

struct Wanted {
  std::string name;
  std::string file;  // where to look first; may be empty
};

void add_once(std::vector<Wanted>& list, std::string name, std::string file) {
  const bool known = std::ranges::any_of(list, [&](const Wanted& w) { return w.name == name; });
  if (!known && list.size() < most_names) list.push_back({std::move(name), std::move(file)});
}

std::vector<Wanted> names_of(const std::vector<Thread>& threads, const MemoryUse& use) {
  std::vector<Wanted> names;
  for (const auto& holder : use.holders) {
    const bool local = !holder.own_code && holder.function && !holder.module && holder.name.find('.') == std::string::npos;
    if (!local) add_once(names, holder.name, holder.own_code ? holder.file.value_or("") : "");
  }
  for (const auto& thread : threads)
    for (const auto& frame : thread.python)
      for (const auto& value : frame.values)
        if (value.length.value_or(0) >= long_container && is_own_code(frame)) add_once(names, value.name, frame.file);
  return names;
}

std::vector<std::string> own_files(const std::vector<Thread>& threads, const std::optional<Timeline>& timeline,
                                   const MemoryUse& use) {
  std::vector<std::string> files;
  const auto add = [&](const std::string& file) {
    if (files.size() < most_files && std::ranges::find(files, file) == files.end()) files.push_back(file);
  };
  for (const auto& holder : use.holders)
    if (holder.own_code && holder.file) add(*holder.file);
  for (const auto& thread : threads)
    for (const auto& frame : thread.python)
      if (is_own_code(frame)) add(frame.file);
  if (timeline && timeline->last_line && is_own_file(timeline->last_line->file)) add(timeline->last_line->file);
  for (const auto& counter : timeline ? timeline->steps : std::vector<StepCounter>()) add(counter.file);
  return files;
}

}  // namespace

void add_site_lines(const Target& target, GuardedHeap& heap) {
  SourceLines sources(target);
  for (HeapSite& site : heap.sites)
    for (const PythonFrame& frame : site.allocated.python) {
      if (!frame.line || !is_own_code(frame)) continue;
      auto line = line_at(sources.text(frame.file, target.started_unix_s), *frame.line);
      if (!line || (site.line && !line->repeats)) continue;
      line->file = frame.file;
      site.line = std::move(line);
      if (site.line->repeats) break;
    }
}

void add_adding_lines(const Target& target, const std::vector<Thread>& threads, const std::optional<Timeline>& timeline,
                      MemoryUse& use) {
  SourceLines sources(target);
  const auto files = own_files(threads, timeline, use);
  for (const Wanted& wanted : names_of(threads, use)) {
    auto order = files;
    std::ranges::stable_partition(order, [&](const std::string& file) { return file == wanted.file; });
    for (const auto& file : order) {
      auto line = line_adding_to(sources.text(file, target.started_unix_s), wanted.name);
      if (!line) continue;
      line->file = file;
      use.added.push_back(std::move(*line));
      break;
    }
  }
}

}  // namespace sigwhy::native
