#include "diagnose/memory_holders.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnose/array_words.h"
#include "diagnose/phrases.h"
#include "diagnose/python_failure.h"
#include "evidence/own_code.h"

namespace sigwhy::diagnose {

namespace {

// Functions whose only purpose is to get data out of a file, by what libraries call them.
constexpr std::array readers = {"load",     "_load",        "loads",      "read",         "readinto",  "read_array",
                                "fromfile", "imread",       "loadtxt",    "genfromtxt",   "read_csv",  "read_table",
                                "open",     "read_parquet", "read_image", "read_pickle",  "load_img",  "read_file",
                                "readline", "readlines",    "reader",     "load_dataset", "load_data", "fromstring"};

bool is_reader(std::string_view function) { return std::ranges::find(readers, function) != readers.end(); }

bool in_name(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Each name that is called on the line: `np.load(` calls load.
bool calls_reader(std::string_view text) {
  for (auto at = text.find('('); at != text.npos; at = text.find('(', at + 1)) {
    auto start = at;
    while (start > 0 && in_name(text[start - 1])) --start;
    if (is_reader(text.substr(start, at - start))) return true;
  }
  return false;
}

// "self.history" and "layer.history" are one attribute under two names.
std::string_view last_name(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == name.npos ? name : name.substr(dot + 1);
}

}  // namespace

std::optional<std::size_t> part_index(const MemoryUse& use, MemoryKind kind) {
  const auto found = std::ranges::find(use.parts, kind, &MemoryPart::kind);
  if (found == use.parts.end()) return std::nullopt;
  return static_cast<std::size_t>(found - use.parts.begin());
}

std::uint64_t part_bytes(const MemoryUse& use, MemoryKind kind) {
  const auto index = part_index(use, kind);
  return index ? use.parts[*index].bytes : 0;
}

std::optional<std::size_t> type_index(const MemoryUse& use, std::string_view name) {
  for (std::size_t i = 0; i < use.types.size(); ++i)
    if (class_name(use.types[i].type) == name) return i;
  return std::nullopt;
}

std::uint64_t type_count(const MemoryUse& use, std::string_view name) {
  const auto index = type_index(use, name);
  return index ? use.types[*index].count : 0;
}

bool is_container(std::string_view type) {
  constexpr std::array types = {"list",        "dict",    "set",     "deque",       "tuple",         "OrderedDict",
                                "defaultdict", "Counter", "UserList", "UserDict",    "ListWrapper",   "_DictWrapper",
                                "frozenset",   "TrackedList", "TrackedDict", "WeakKeyDictionary", "WeakValueDictionary"};
  return std::ranges::find(types, class_name(type)) != types.end();
}

bool is_library_local(const MemoryHolder& h) {
  return !h.own_code && h.function && !h.module && h.name.find('.') == std::string::npos;
}

bool holds_weights(const MemoryHolder& h) {
  return !h.elements.empty() && has_any(class_name(h.elements.front().type), {"Variable", "Parameter"});
}

std::string holds_text(const MemoryHolder& h) {
  if (h.elements.empty() || h.elements.front().count < 2 || h.elements.front().count * 2 < h.count)
    return h.count == 1 ? "one array" : count_text(h.count) + " arrays";
  const ElementGroup& e = h.elements.front();
  const auto dtype = e.dtype ? *e.dtype + " " : std::string();
  const bool torch_like = class_name(e.type).find("ensor") != std::string_view::npos;
  const auto noun = torch_like ? "tensors" : holds_weights(h) ? "variables" : e.shape ? "arrays" : e.type + " objects";
  return fmt::format("{} {}{}{}", count_text(e.count), dtype, noun, e.shape ? " " + shape_text(*e.shape) : "");
}

EvidenceRef holder_ref(std::size_t index) { return ref(fmt::format("/memory_use/holders/{}", index)); }

const AddingLine* adding_line(const MemoryUse& use, std::string_view name) {
  for (const auto& line : use.added)
    if (line.name == name) return &line;
  for (const auto& line : use.added)
    if (name.find('.') != name.npos && last_name(line.name) == last_name(name)) return &line;
  return nullptr;
}

std::string adding_text(const AddingLine& line) { return fmt::format("{}:{}", file_name(line.file), line.line); }

EvidenceRef adding_ref(const MemoryUse& use, const AddingLine& line) {
  return ref(fmt::format("/memory_use/added/{}", &line - use.added.data()));
}

std::optional<std::size_t> python_thread(const Facts& f) {
  const auto& threads = f.snapshot.threads;
  if (f.python && f.python->thread < threads.size()) return f.python->thread;
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (!threads[i].python.empty()) return i;
  return std::nullopt;
}

std::optional<std::size_t> own_frame(const Facts& f) {
  const auto thread = python_thread(f);
  return thread ? first_own(f.snapshot.threads[*thread].python) : std::nullopt;
}

bool reads_files(const AddingLine& line) { return calls_reader(line.text); }

bool joins_arrays(const AddingLine& line) {
  const auto value = line.text.substr(std::min(line.text.find('='), line.text.size()));
  return has_any(value, {"concatenate(", ".append(", "vstack(", "hstack(", "concat(", ".cat("});
}

bool stood_reading(const Facts& f) {
  const auto own = own_frame(f);
  if (!own) return false;
  const auto& frames = f.snapshot.threads[*python_thread(f)].python;
  for (std::size_t i = 0; i < *own; ++i)
    if (is_reader(frames[i].function)) return true;
  return frames[*own].text && calls_reader(*frames[*own].text);
}

}  // namespace sigwhy::diagnose
