#include "diagnose/shape_clash.h"

#include "diagnose/array_words.h"
#include "diagnose/line_use.h"

namespace sigwhy::diagnose {

namespace {

using Of = Clash::Of;

bool speaks_of_rank(std::string_view words) {
  return has_any(words, {"number of dimensions", "ndim", "anks of", "equal rank", "same rank", "different rank",
                         "rank mismatch", "Rank mismatch"});
}

std::optional<Clash> in_product(const Array& a, const Array& b, std::string_view line) {
  if (a.shape.empty() || b.shape.empty()) return std::nullopt;
  // Which dimension is the inner one is turned round, and whether that was done is not known.
  if (has_any(line, {"transpose", "adjoint", ".T", ".mT", ".t()", ".H"})) return Clash{};
  const auto inner = b.shape.size() == 1 ? 0 : b.shape.size() - 2;
  if (a.shape.back() == b.shape[inner]) return std::nullopt;
  return Clash{Of::dimensions, a.shape.size() - 1, inner};
}

std::optional<Clash> in_arithmetic(const Array& a, const Array& b) {
  const auto back = broadcast_clash(a.shape, b.shape);
  if (!back) return std::nullopt;
  return Clash{Of::dimensions, a.shape.size() - *back, b.shape.size() - *back};
}

// Where several differ, one of them may be the axis along which they are joined.
std::optional<Clash> in_stacking(const Array& a, const Array& b) {
  if (a.shape == b.shape) return std::nullopt;
  if (a.shape.size() != b.shape.size()) return Clash{Of::ranks};
  std::vector<std::size_t> unequal;
  for (std::size_t i = 0; i < a.shape.size(); ++i)
    if (a.shape[i] != b.shape[i]) unequal.push_back(i);
  return unequal.size() == 1 ? Clash{Of::dimensions, unequal[0], unequal[0]} : Clash{};
}

}  // namespace

Operation operation_of(std::string_view words, std::string_view line, std::string_view a, std::string_view b) {
  if (has_any(words, {"broadcast"})) return Operation::arithmetic;
  if (has_any(line, {" @ ", "@=", "matmul", "MatMul", ".dot(", ".mm(", "bmm("}) ||
      has_any(words, {"matmul", "mat1 and mat2", "not aligned", "Matrix size"}))
    return Operation::product;
  if (has_any(line, {"concat", "stack(", "cat("}) ||
      has_any(words, {"concat", "Concat", "all input", "the input array"}))
    return Operation::stacking;
  const bool operands = is_operand(line, a) && is_operand(line, b);
  return operands || has_any(words, {"ncompatible shapes", "size of tensor a"}) ? Operation::arithmetic
                                                                                : Operation::other;
}

std::optional<Clash> clash_of(const Array& a, const Array& b, Operation operation, std::string_view words,
                              std::string_view line) {
  if (speaks_of_rank(words)) return a.shape.size() == b.shape.size() ? std::nullopt : std::optional(Clash{Of::ranks});
  switch (operation) {
    case Operation::product: return in_product(a, b, line);
    case Operation::arithmetic: return in_arithmetic(a, b);
    case Operation::stacking: return in_stacking(a, b);
    case Operation::other: break;
  }
  return a.shape == b.shape ? std::nullopt : std::optional(Clash{});
}

}  // namespace sigwhy::diagnose
