// A TFLite model: a flatbuffer with "TFL3" at byte 4. The interpreter maps it and follows its offsets unchecked, so a
// file that is cut or changed is a read outside and mostly a SIGSEGV. Weights lie in `buffers`, by number; in models
// over 2 GB behind the flatbuffer, at an offset from the file's start. No checksum: changed weights cannot be told.
#include <fmt/format.h>

#include "inputs/flatbuffer.h"
#include "inputs/format.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs::formats {

namespace {

using flatbuffer::Kind;
using flatbuffer::Table;
using flatbuffer::Vector;

constexpr flatbuffer::Field tables[] = {
#include "inputs/tflite_tables.inc"
};

constexpr std::string_view identifier = "TFL3";
constexpr std::uint64_t identifier_at = 4;
constexpr std::uint64_t only_version = 3;
constexpr std::uint64_t most_numbers = 100'000'000;

using Fault = std::optional<Checked>;

Likeness likeness(std::string_view path, std::string_view first) {
  if (first.substr(std::min(first.size(), identifier_at)).starts_with(identifier)) return Likeness::by_content;
  return path.ends_with(".tflite") ? Likeness::by_name : Likeness::none;
}

// In TensorType's order; 0: no fixed number of bytes each.
std::uint64_t item_bytes(std::uint64_t type) {
  constexpr std::uint64_t bytes[] = {4, 2, 4, 1, 8, 0, 1, 2, 8, 1, 8, 16, 8, 0, 0, 4, 2, 0, 2, 0, 0};
  return type < std::size(bytes) ? bytes[type] : 0;
}

class Model {
 public:
  explicit Model(PagedBytes& bytes) : bytes_(bytes), model_(Table::root(bytes, tables, "Model")) {}

  Fault fault() {
    if (model_.number("version") != only_version)
      return broken(model_.place_or_table("version"), "version",
                    fmt::format("it is {}; TFLite models have {}", model_.number("version"), only_version));
    if (subgraphs_.count == 0) return broken(model_.place_or_table("subgraphs"), "subgraphs", "there is none");
    for (std::uint64_t i = 0; i < buffers_.count; ++i)
      if (auto f = buffer(i)) return f;
    for (std::uint64_t i = 0; i < subgraphs_.count; ++i)
      if (auto f = subgraph(model_.table_in("subgraphs", i), fmt::format("subgraphs[{}]", i))) return f;
    for (std::uint64_t i = 0; i < model_.vector("metadata").count; ++i)
      if (auto f = below(model_.table_in("metadata", i), "buffer", buffers_.count, fmt::format("metadata[{}]", i),
                         "buffers"))
        return f;
    for (std::uint64_t i = 0; i < model_.vector("signature_defs").count; ++i)
      if (auto f = signature(model_.table_in("signature_defs", i), fmt::format("signature_defs[{}]", i))) return f;
    return {};
  }

  std::string holds() const {
    return fmt::format("{}, {}, {}", counted(subgraphs_.count, "subgraph"), counted(operators_, "operator"),
                       counted(tensors_, "tensor"));
  }

 private:
  // Many tables may share one long vector: the work is not bounded by the file's size.
  bool spend(std::uint64_t numbers) {
    spent_ += numbers;
    return spent_ > most_numbers;
  }
  static Fault too_many() {
    return not_checked(fmt::format("it refers to more than {} tensors and sizes", most_numbers));
  }

  // The number in `field` counts from 0 to `count`, exclusive.
  static Fault below(const Table& table, std::string_view field, std::uint64_t count, const std::string& path,
                     std::string_view of) {
    const auto number = table.number(field);
    if (number < count) return {};
    return broken(table.place_or_table(field), fmt::format("{}.{}", path, field),
                  fmt::format("it is {}, but there are {} {}", number, count, of));
  }

  // -1 stands for an input that is left out.
  Fault indices(const Table& table, std::string_view field, std::uint64_t count, const std::string& path) {
    const Vector all = table.vector(field);
    if (spend(all.count)) return too_many();
    for (std::uint64_t i = 0; i < all.count; ++i) {
      const std::int64_t tensor = table.int_in(all, i);
      if (tensor < -1 || tensor >= static_cast<std::int64_t>(count))
        return broken(all.place(i, 4), fmt::format("{}.{}[{}]", path, field, i),
                      fmt::format("it is {}, but there are {} tensors", tensor, count));
    }
    return {};
  }

  Fault buffer(std::uint64_t i) {
    const Table one = model_.table_in("buffers", i);
    const auto offset = one.number("offset"), size = one.number("size");
    if (offset <= 1 || bytes_.holds(offset, size)) return {};  // 0 and 1: the data lie inside
    return broken(
        one.place_or_table("offset"), fmt::format("buffers[{}].offset", i),
        fmt::format("its {} bytes from byte {} on reach past the file's end at {}", size, offset, bytes_.bytes()));
  }

  Fault subgraph(const Table& graph, const std::string& path) {
    const auto tensors = graph.vector("tensors").count, operators = graph.vector("operators").count;
    tensors_ += tensors;
    operators_ += operators;
    for (std::uint64_t i = 0; i < tensors; ++i)
      if (auto f = tensor(graph.table_in("tensors", i), fmt::format("{}.tensors[{}]", path, i))) return f;
    for (const auto field : {"inputs", "outputs"})
      if (auto f = indices(graph, field, tensors, path)) return f;
    const auto codes = model_.vector("operator_codes").count;
    for (std::uint64_t i = 0; i < operators; ++i) {
      const Table one = graph.table_in("operators", i);
      const auto here = fmt::format("{}.operators[{}]", path, i);
      if (auto f = below(one, "opcode_index", codes, here, "operator codes")) return f;
      for (const auto field : {"inputs", "outputs", "intermediates"})
        if (auto f = indices(one, field, tensors, here)) return f;
      const auto offset = one.number("large_custom_options_offset"), size = one.number("large_custom_options_size");
      if (offset > 1 && !bytes_.holds(offset, size))
        return broken(one.place_or_table("large_custom_options_offset"), here + ".large_custom_options_offset",
                      fmt::format("its {} bytes from byte {} on reach past the file's end", size, offset));
    }
    return {};
  }

  Fault tensor(const Table& one, const std::string& path) {
    if (auto f = below(one, "buffer", buffers_.count, path, "buffers")) return f;
    const Table buffer = model_.table_in("buffers", one.number("buffer"));
    const Vector inside = buffer.vector("data");
    const bool outside = buffer.number("offset") > 1;
    const auto has = outside ? buffer.number("size") : inside.count;
    const auto each = item_bytes(one.number("type"));
    if (has == 0 || each == 0 || one.place("sparsity")) return {};
    const Vector shape = one.vector("shape");
    if (spend(shape.count)) return too_many();
    std::uint64_t wants = each;
    for (std::uint64_t i = 0; i < shape.count; ++i) {
      const auto size = one.int_in(shape, i);
      if (size < 0 || __builtin_mul_overflow(wants, static_cast<std::uint64_t>(size), &wants))
        return broken(shape.place(i, 4), path + ".shape", fmt::format("{} is no size for it", size));
    }
    if (wants == has) return {};
    return broken(outside ? buffer.place_or_table("size") : inside.at, fmt::format("buffers[{}]", one.number("buffer")),
                  fmt::format("it has {} bytes, {} needs {}", has, path, wants));
  }

  Fault signature(const Table& one, const std::string& path) {
    if (auto f = below(one, "subgraph_index", subgraphs_.count, path, "subgraphs")) return f;
    const auto tensors = model_.table_in("subgraphs", one.number("subgraph_index")).vector("tensors").count;
    for (const auto field : {"inputs", "outputs"})
      for (std::uint64_t i = 0; i < one.vector(field).count; ++i)
        if (auto f = below(one.table_in(field, i), "tensor_index", tensors, fmt::format("{}.{}[{}]", path, field, i),
                           "tensors"))
          return f;
    return {};
  }

  PagedBytes& bytes_;
  Table model_;
  Vector buffers_ = model_.vector("buffers"), subgraphs_ = model_.vector("subgraphs");
  std::uint64_t tensors_ = 0, operators_ = 0, spent_ = 0;
};

Checked check(const FileBytes& file) {
  PagedBytes bytes(file);
  const auto id = file.text(identifier_at, identifier.size());
  if (id.size() < identifier.size()) return broken(file.bytes(), "identifier", "the file ends here");
  if (id != identifier)
    return broken(identifier_at, "identifier", fmt::format("it is \"{}\", not {}", shown(id), identifier));
  auto verified = flatbuffer::verify(bytes, tables, "Model");
  if (!verified.fault) {
    Model model(bytes);
    verified.fault = model.fault();
    if (!verified.fault) verified.fault = sound(model.holds());
  }
  if (bytes.shrank()) return not_checked("it was cut while it was read");
  if (verified.unknown_kinds)
    verified.fault->remarks.push_back(counted(verified.unknown_kinds, "table") +
                                      " of kinds that are newer than this program; not followed");
  if (verified.fault->soundness == Soundness::sound)
    verified.fault->remarks.push_back("weights have no checksum: changed numbers cannot be told");
  return *verified.fault;
}

}  // namespace

extern const Format tflite{.title = "TFLite model", .likeness = likeness, .check = check};

}  // namespace sigwhy::inputs::formats
