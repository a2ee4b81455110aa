#include "python/collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "python/lines.h"

namespace sigwhy::python {

namespace {

// The JSON of a case stays under a megabyte, whatever the program holds.
constexpr std::size_t most_arrays = 250;
constexpr std::size_t most_nouns = 3500;
constexpr std::size_t most_values_in_a_frame = 40;
constexpr std::size_t most_holders = 6;

// A string that names a file, as far as its letters tell: values of that kind are shown by default.
bool looks_like_path(std::string_view text) {
  if (text.empty() || text.size() > 400) return false;
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("/._-+~=@#:").find(c) != std::string_view::npos; };
  if (!std::ranges::all_of(text, fits) || text.find("://") != std::string_view::npos) return false;
  if (text.find('/') != std::string_view::npos) return true;
  const auto dot = text.rfind('.');
  constexpr std::size_t longest_extension = 12;
  return dot != std::string_view::npos && dot > 0 && text.size() - dot - 1 <= longest_extension &&
         text.size() - dot > 1 && std::isalpha(static_cast<unsigned char>(text[dot + 1]));
}

std::string written_float(double value) {
  auto text = fmt::format("{}", value);
  if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::vector<std::int64_t> first_of(const std::array<std::int64_t, most_dimensions>& list, std::size_t count) {
  return {list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::vector<ElementGroup> group_nouns(std::span<const SeenGroup> groups) {
  std::vector<ElementGroup> out;
  for (const auto& g : groups) {
    ElementGroup group{.type = std::string(g.type.view()), .length = g.length, .count = g.count, .first = g.first};
    if (g.is_array) {
      group.shape = first_of(g.array.shape, g.array.dimensions);
      group.dtype = std::string(g.array.dtype.view());
    }
    out.push_back(std::move(group));
  }
  return out;
}

Array array_noun(std::string_view name, std::string_view type, const ArrayFacts& f) {
  Array a{.name = std::string(name),
          .kind = f.kind,
          .type = std::string(type),
          .dtype = std::string(f.dtype.view()),
          .item_bytes = f.item_bytes,
          .shape = first_of(f.shape, f.dimensions),
          .object = f.object,
          .data = f.data,
          .bytes = f.bytes,
          .memory_start = f.memory_start,
          .memory_bytes = f.memory_bytes,
          .owns_memory = f.owns_memory,
          .writable = f.writable,
          .points_to = f.points_to};
  if (f.has_strides) a.strides = first_of(f.strides, f.dimensions);
  if (f.device.size) a.device = std::string(f.device.view());
  if (f.label.size) a.label = std::string(f.label.view().substr(0, f.label.view().find(':')));
  for (const auto& b : std::span(f.base).first(f.base_count))
    a.base.push_back({std::string(b.type.view()), b.object, b.data, b.bytes});
  return a;
}

}  // namespace

void Collector::thread(const WalkedThread& thread) {
  stacks.push_back({thread, {}, {}});
  frame_ = nullptr;
}

void Collector::focus() { focus_ = stacks.size() - 1; }

void Collector::frame(const WalkedFrame& f) {
  auto& list = exceptions.empty() ? stacks.back().frames : exceptions.back().traceback;
  if (exceptions.empty()) stacks.back().runs.frame();
  PythonFrame frame{.file = std::string(f.file), .function = std::string(f.function)};
  if (const auto at = location_of(lines_, f.line_table, f.first_line, f.offset)) {
    frame.line = at->line;
    frame.column = at->column;
  }
  list.push_back(std::move(frame));
  frame_ = &list.back();
}

std::optional<std::string> Collector::written(const Scalar& s) const {
  if (policy_ == ValuesPolicy::types_only) return std::nullopt;
  if (s.is_none) return "None";
  if (s.boolean) return *s.boolean ? "True" : "False";
  if (s.integer) return std::to_string(*s.integer);
  if (s.floating) return written_float(*s.floating);
  if (s.symbol) return std::string(*s.symbol);
  if (s.text && (policy_ == ValuesPolicy::all || looks_like_path(*s.text))) return fmt::format("'{}'", *s.text);
  // h5py and others hand a path to C as bytes.
  if (s.bytes && looks_like_path(*s.bytes)) return fmt::format("b'{}'", *s.bytes);
  return std::nullopt;
}

// Where the value heard last stands.
std::optional<Holder> Collector::here() const {
  if (!exceptions.empty())
    return Holder{.name = {}, .frame = exceptions.back().traceback.size() - 1, .exception = exceptions.size() - 1};
  if (stacks.empty() || stacks.back().frames.empty()) return std::nullopt;
  return Holder{.name = {}, .thread = stacks.size() - 1, .frame = stacks.back().frames.size() - 1};
}

std::uint64_t Collector::array(std::string_view name, std::string_view type, const ArrayFacts& facts,
                               Holder holder) {
  holder.name = std::string(name);
  const auto [known, added] = array_of_object_.try_emplace(facts.object.value, arrays.size());
  if (added) arrays.push_back(array_noun(name, type, facts));
  auto& holders = arrays[known->second].holders;
  if (holders.size() < most_holders) holders.push_back(std::move(holder));
  return known->second;
}

template <class Value>
Value Collector::noun(const SeenValue& seen) {
  Value v;
  v.name = std::string(seen.name);
  v.type = std::string(seen.type);
  v.text = written(seen.scalar);
  v.length = seen.length;
  v.elements = group_nouns(seen.groups);
  nouns_ += 1 + v.elements.size();
  return v;
}

bool Collector::values_cut_short() const { return nouns_ >= most_nouns; }

void Collector::value(const SeenValue& seen) {
  if (!frame_ || frame_->values.size() >= most_values_in_a_frame || values_cut_short()) return;
  auto v = noun<PyValue>(seen);
  v.argument = seen.argument;
  const auto holder = here();
  if (seen.array && holder && arrays.size() < most_arrays) {
    v.array = array(seen.name, seen.type, *seen.array, *holder);
    arrays[*v.array].elements = v.elements;
  }
  frame_->values.push_back(std::move(v));
}

void Collector::item(const SeenValue& seen) {
  if (!frame_ || frame_->values.empty() || values_cut_short()) return;
  auto& of = frame_->values.back();
  auto v = noun<PyItem>(seen);
  const auto holder = here();
  if (seen.array && holder && arrays.size() < most_arrays) v.array = array(of.name + v.name, seen.type, *seen.array, *holder);
  of.items.push_back(std::move(v));
}

void Collector::exception(const SeenException& e) {
  exceptions.push_back({.link = e.link, .type = std::string(e.type), .message = std::string(e.message)});
  frame_ = nullptr;
}

void Collector::base(std::string_view name) { exceptions.back().bases.emplace_back(name); }

void Collector::attribute(const SeenValue& seen) { exceptions.back().attributes.push_back(noun<PyValue>(seen)); }

void Collector::attribute_item(const SeenValue& seen) {
  if (!exceptions.back().attributes.empty()) exceptions.back().attributes.back().items.push_back(noun<PyItem>(seen));
}

void Collector::holder(const HeldBy& by) {
  reaching_ = {.name = {}, .frame = by.frame, .exception = by.exception};
  if (by.frame && !by.exception) reaching_.thread = focus_;
  if (!by.module.empty()) reaching_.module = std::string(by.module);
}

void Collector::reached(std::string_view path, std::string_view type, const ArrayFacts& facts) {
  if (arrays.size() < most_arrays) array(path, type, facts, reaching_);
}

void Collector::finish() {
  for (auto& exception : exceptions) std::ranges::reverse(exception.traceback);
  for (auto& a : arrays)
    for (auto& h : a.holders)
      if (h.exception) h.frame = exceptions[*h.exception].traceback.size() - 1 - *h.frame;
}

}  // namespace sigwhy::python
