#include "report/memory_holders.h"

#include <fmt/format.h>

#include <algorithm>

#include "evidence/array_words.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t most_holders = 3, most_rest = 3, most_types = 12, most_named = 16;
constexpr std::uint64_t least_percent = 5;
constexpr std::uint64_t worth_a_word = 1u << 20;

std::uint64_t bytes_of(const MemoryHolder& h) { return h.bytes + h.object_bytes; }

std::string_view kind_text(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::arrays: return "arrays and tensors";
    case MemoryKind::unnamed_arrays: return "arrays that no Python name leads to";
    case MemoryKind::python_objects: return "Python objects";
    case MemoryKind::heap_in_use: return "native code (C heap)";
    case MemoryKind::heap_free: return "freed, but not given back to the system";
    case MemoryKind::thread_stacks: return "thread stacks";
    case MemoryKind::code_and_files: return "libraries and mapped files";
    case MemoryKind::shared_memory: return "shared memory";
    case MemoryKind::other_processes: return "other processes";
    case MemoryKind::page_cache: return "page cache";
    case MemoryKind::kernel: return "the kernel, for this group";
    case MemoryKind::unknown: break;
  }
  return "not known";
}

std::string_view noun_of(const ElementGroup& g) {
  if (g.type.find("Tensor") != std::string::npos) return "tensor";
  if (g.type.find("Variable") != std::string::npos || g.type == "Parameter") return "variable";
  if (g.type == "bytes" || g.type == "bytearray") return "byte string";
  return "array";
}

// "2,412 float32 arrays (1024, 784)"
std::string group_text(const ElementGroup& g) {
  const bool plain = noun_of(g) == "byte string";
  const auto shape = g.shape && !plain ? " " + shape_text(*g.shape) : "";
  const auto size = plain && g.shape && g.shape->size() == 1 ? fmt::format(" of {}", size_text(static_cast<std::uint64_t>((*g.shape)[0]))) : "";
  const auto dtype = g.dtype && !plain ? *g.dtype + " " : "";
  return fmt::format("{} {}{}{}{}{}", count_text(g.count), dtype, noun_of(g), g.count == 1 ? "" : "s", shape, size);
}

std::string what_it_holds(const MemoryHolder& h) {
  if (h.bytes < h.object_bytes) return fmt::format("{} Python object{}", count_text(h.objects), h.objects == 1 ? "" : "s");
  if (h.elements.empty()) return counted(h.count, "array");
  const auto& first = h.elements[0];
  if (first.count == h.count) return group_text(first);
  return fmt::format("{}, {} of them {}", counted(h.count, "array"), count_text(first.count),
                     group_text(first).substr(count_text(first.count).size() + 1));
}

// Whether the name is the array itself.
bool is_array(const MemoryHolder& h) { return h.count == 1 && h.elements.size() == 1 && h.elements[0].type == h.type; }

std::string place_text(const MemoryHolder& h) {
  if (h.function && h.file)
    return fmt::format("{}{}  {}", base_name(*h.file), h.line ? fmt::format(":{}", *h.line) : "", *h.function);
  return h.module ? "module " + *h.module : "";
}

bool is_about_memory(const std::vector<const Finding*>& told) {
  return std::ranges::any_of(told, [](const Finding* f) {
    return f->cause == Cause::out_of_memory_killed || f->cause == Cause::memory_leak || f->cause == Cause::out_of_memory_refused;
  });
}

// What is left when the arrays that were named are taken out of the parts.
Row rest_row(const MemoryUse& use, std::uint64_t named_arrays, std::uint64_t named_objects) {
  std::vector<MemoryPart> parts = use.parts;
  const auto take = [&](MemoryKind kind, std::uint64_t wanted) {
    for (auto& part : parts)
      if (part.kind == kind) {
        const auto taken = std::min(part.bytes, wanted);
        part.bytes -= taken;
        wanted -= taken;
      }
    return wanted;
  };
  take(MemoryKind::python_objects, named_objects);
  // An array may lie in shared memory or in a file that is mapped, and is counted there.
  take(MemoryKind::code_and_files, take(MemoryKind::shared_memory, take(MemoryKind::arrays, named_arrays)));
  std::ranges::stable_sort(parts, std::ranges::greater{}, &MemoryPart::bytes);
  std::uint64_t sum = 0;
  std::vector<std::string> words;
  for (const auto& part : parts) {
    sum += part.bytes;
    if (words.size() < most_rest && part.bytes >= worth_a_word)
      words.push_back(fmt::format("{} {}", kind_text(part.kind), size_text(part.bytes)));
  }
  if (words.empty()) return {};
  return {{size_text(sum), fmt::format("{}: {}", named_arrays + named_objects ? "the rest" : "in all", fmt::join(words, ", "))}};
}

Section holder_section(const MemoryUse& use) {
  Section section{"Held by Python names", {}};
  for (const auto& h : use.holders) {
    if (section.rows.size() == most_named) break;
    if (bytes_of(h) < worth_a_word && !h.keeps_graph) continue;
    auto row = holder_row(h);
    row.cells.push_back(place_text(h));
    section.rows.push_back(std::move(row));
  }
  return section;
}

}  // namespace

Row holder_row(const MemoryHolder& h) {
  auto text = is_array(h) ? fmt::format("`{}`, {}", h.name, what_it_holds(h).substr(2)) : fmt::format("{} in `{}`", what_it_holds(h), h.name);
  if (h.keeps_graph && h.graph_nodes && h.count > 1)
    text += fmt::format(", one of which keeps the graph of {}", counted(*h.graph_nodes, "operation"));
  else if (h.keeps_graph && h.graph_nodes) text += fmt::format(", which keeps the graph of {}", counted(*h.graph_nodes, "operation"));
  else if (h.keeps_graph) text += ", which keeps the graph it was computed by";
  return {{size_text(bytes_of(h)), std::move(text)}};
}

std::vector<Row> holder_rows(const Snapshot& s, const std::vector<const Finding*>& told) {
  std::vector<Row> rows;
  if (!s.memory_use || !is_about_memory(told)) return rows;
  const auto& use = *s.memory_use;
  std::uint64_t arrays = 0, objects = 0;
  for (const auto& h : use.holders) {
    if (rows.size() == most_holders || bytes_of(h) < use.judged_bytes / 100 * least_percent) continue;
    rows.push_back(holder_row(h));
    arrays += h.bytes;
    objects += h.object_bytes;
  }
  if (auto rest = rest_row(use, arrays, objects); !rest.cells.empty()) rows.push_back(std::move(rest));
  return rows;
}

std::vector<Section> memory_sections(const Snapshot& s) {
  if (!s.memory_use) return {};
  const auto& use = *s.memory_use;
  const auto when = use.before_the_end && s.termination.after_seconds > use.at_s
                        ? fmt::format(", {} before the end", duration_text(s.termination.after_seconds - use.at_s))
                        : "";
  Section parts{fmt::format("Memory: {} {}{}", size_text(use.judged_bytes), use.of_group ? "in its control group" : "resident", when), {}};
  for (const auto& part : use.parts)
    if (part.bytes >= 4096) parts.rows.push_back({{size_text(part.bytes), std::string(kind_text(part.kind))}});
  Section copies{"The same bytes twice", {}};
  for (const auto& copy : use.copies)
    copies.rows.push_back({{size_text(copy.bytes), fmt::format("`{}` and `{}`", copy.copy_of, copy.name)}});
  Section types{"Python objects by type", {}};
  for (const auto& type : use.types)
    if (types.rows.size() < most_types && type.bytes >= worth_a_word)
      types.rows.push_back({{size_text(type.bytes), fmt::format("{} {}", count_text(type.count), type.type)}});
  return {std::move(parts), holder_section(use), std::move(copies), std::move(types)};
}

}  // namespace sigwhy::report
