// Two shapes that do not fit: in an operation, or between an array and the layer, file or variable it is meant for.
// Every library says it in its own words; what they share is a word for a shape and a word for a clash. That alone is
// the library's claim. Where both arrays stand on the line, their own shapes show it.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/array_error.h"
#include "diagnose/array_shape.h"
#include "diagnose/array_words.h"
#include "diagnose/line_use.h"
#include "diagnose/phrases.h"
#include "diagnose/reshape.h"
#include "diagnose/rule.h"
#include "diagnose/shape_clash.h"

namespace sigwhy::diagnose::rules {

namespace {

bool names_shape(std::string_view words) {
  return has_any(words, {"shape",
                         "Shape",
                         "imension",
                         "size of tensor",
                         "Sizes of tensors",
                         "broadcast",
                         "ndim",
                         "channels",
                         "batch_size",
                         "cardinality",
                         "axis",
                         "size mismatch",
                         "of size",
                         "input_size",
                         "input size",
                         "size-incompatible",
                         "umber of samples",
                         "umbers of samples",
                         "features",
                         "ength of values",
                         "same length",
                         "depth",
                         "elements not",
                         "size of the tensor",
                         "0D or 1D"});
}

bool names_clash(std::string_view words) {
  return has_any(words, {"mismatch",       "match",
                         "broadcast",      "aligned",
                         "incompatib",     "must be equal",
                         "be multiplied",  "different",
                         "expected",       "Expected",
                         "expecting",      "invalid for",
                         "inconsistent",   "compatible",
                         "cannot reshape", "requested shape",
                         "same shape",     "same size",
                         "same length",    "ambiguous",
                         "should contain", "same number of dimensions",
                         "same rank",      "divisible",
                         "must be square", "Invalid input shape",
                         "indices imply",  "Negative dimension size"});
}

// Unequal rows, wrong types and damaged files say "shape" or "size" too and are other causes.
bool is_other(std::string_view words) {
  return has_any(words, {"inhomogeneous", "binary incompatib", "dtype size changed", "scalar type", "same dtype",
                         "truncated", "corrupt"});
}

// Both words in one sentence: else it may be attributes that do not match, and a shape among many other things listed.
bool clash_is_of_shapes(std::string_view words) {
  const auto text = without_private_names(words);
  return std::ranges::any_of(sentences_of(text), [](std::string_view s) { return names_shape(s) && names_clash(s); });
}

struct Pair {
  NamedValue a, b;
  const Array *first, *second;
  Clash clash;
};

// A product names its left side first.
bool tells_shapes(const std::vector<Dimensions>& shapes, const Array& a, const Array& b, bool in_order) {
  const auto at = std::ranges::find(shapes, a.shape), other = std::ranges::find(shapes, b.shape);
  return at != shapes.end() && other != shapes.end() && (!in_order || at <= other);
}

enum class Told { no, sizes, shapes };

// The two numbers that do not fit.
std::optional<std::pair<std::int64_t, std::int64_t>> sizes_of(const Pair& p) {
  const auto rank = [](const Array& a) { return static_cast<std::int64_t>(a.shape.size()); };
  switch (p.clash.of) {
    case Clash::Of::dimensions:
      return std::pair(p.first->shape[p.clash.dimension_a], p.second->shape[p.clash.dimension_b]);
    case Clash::Of::ranks: return std::pair(rank(*p.first), rank(*p.second));
    case Clash::Of::shapes: break;
  }
  return std::nullopt;
}

// How the message speaks of these two: it repeats their shapes, or, where it tells none, the two sizes.
Told told(const Facts& f, const Pair& pair, bool product) {
  const auto shapes = shapes_in(f.failure->words);
  if (tells_shapes(shapes, *pair.first, *pair.second, product)) return Told::shapes;
  const auto sizes = sizes_of(pair);
  if (shapes.size() >= 2 || !sizes) return Told::no;
  const auto numbers = numbers_in(f.failure->words);
  const auto has = [&](std::int64_t n) { return std::ranges::count(numbers, static_cast<std::uint64_t>(n)) > 0; };
  return has(sizes->first) && has(sizes->second) ? Told::sizes : Told::no;
}

// An operation of which nothing is known, where the message itself names the two sizes.
Told told_sizes_only(const Facts& f, Pair& pair) {
  const auto clash = clash_of(*pair.first, *pair.second, Operation::arithmetic, f.failure->words, own_line(f));
  if (!clash) return Told::no;
  pair.clash = *clash;
  return told(f, pair, false) == Told::sizes ? Told::sizes : Told::no;
}

std::string_view base_of(const NamedValue& v) { return std::string_view(v.name).substr(0, v.name.find_first_of(".[")); }

bool is_attribute(const NamedValue& v) { return v.name.size() > base_of(v).size() && v.name[base_of(v).size()] == '.'; }

// Elements of one container lie beside each other; an operation has its operands from different names.
bool are_operands(const NamedValue& a, const NamedValue& b) {
  return a.array != b.array && (base_of(a) != base_of(b) || (is_attribute(a) && is_attribute(b)));
}

// The operation is the user's line itself: no function of a library lies between, except NumPy's dispatch.
bool is_own_operation(const Facts& f) {
  if (!f.failure->own) return false;
  const auto& own = *f.failure->own;
  const auto& frames = f.snapshot.python_exceptions[own.exception].traceback;
  if (!frames[own.frame].text) return false;
  return std::all_of(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(own.frame),
                     [](const PythonFrame& frame) { return frame.file.starts_with("<__array_function__"); });
}

// Two sizes may be those of several pairs on a line, or of a result in between: then the pair is not known.
std::optional<Pair> clashing_pair(const Facts& f) {
  std::vector<NamedValue> arrays;
  for (auto& value : values_on_line(f))
    if (array_of(f, value)) arrays.push_back(std::move(value));
  if (arrays.empty() || arrays.size() > 8) return std::nullopt;
  const auto line = own_line(f);
  std::vector<Pair> by_sizes;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    for (std::size_t j = 0; j < arrays.size(); ++j) {
      if (i == j || !are_operands(arrays[i], arrays[j])) continue;
      const Array &a = *array_of(f, arrays[i]), &b = *array_of(f, arrays[j]);
      const auto operation = operation_of(f.failure->words, line, arrays[i].name, arrays[j].name);
      const bool product = operation == Operation::product;
      if (!product && j < i) continue;
      const auto clash = clash_of(a, b, operation, f.failure->words, line);
      if (!clash) continue;
      Pair pair{arrays[i], arrays[j], &a, &b, *clash};
      auto how = told(f, pair, product);
      if (how == Told::no && operation == Operation::other) how = told_sizes_only(f, pair);
      if (how == Told::shapes) return pair;
      if (how == Told::sizes &&
          (may_meet(line, pair.a.name, pair.b.name) || (!product && may_meet(line, pair.b.name, pair.a.name))))
        by_sizes.push_back(std::move(pair));
    }
  if (by_sizes.size() != 1 || !is_own_operation(f)) return std::nullopt;
  return by_sizes.front();
}

std::string misfit_text(const Pair& p) {
  if (p.clash.of == Clash::Of::shapes) return "these do not fit";
  const auto [a, b] = *sizes_of(p);
  const auto what = p.clash.of == Clash::Of::ranks ? " dimensions" : "";
  return fmt::format("{} and {}{} do not fit", count_text(static_cast<std::uint64_t>(a)),
                     count_text(static_cast<std::uint64_t>(b)), what);
}

std::string dimensions_text(const Pair& p) {
  const auto size = [](const Array& a, std::size_t d) { return count_text(static_cast<std::uint64_t>(a.shape[d])); };
  const auto [of, at, other] = p.clash;
  if (of == Clash::Of::dimensions)
    return fmt::format("dimension {} of `{}` is {}, dimension {} of `{}` is {}", at, p.a.name, size(*p.first, at),
                       other, p.b.name, size(*p.second, other));
  return fmt::format("`{}` is {}, `{}` is {}", p.a.name, shape_text(p.first->shape), p.b.name,
                     shape_text(p.second->shape));
}

Finding from_pair(const Pair& p) {
  Finding out = finding(Cause::shape_mismatch, Strength::proven,
                        fmt::format("`{}` is {} and `{}` is {}: {}", p.a.name, shape_text(p.first->shape), p.b.name,
                                    shape_text(p.second->shape), misfit_text(p)));
  auto evidence = evidence_of(p.a);
  for (auto& more : evidence_of(p.b)) evidence.push_back(std::move(more));
  out.evidence_for.push_back(fact("dimensions", dimensions_text(p), std::move(evidence)));
  out.fix.push_back(fmt::format("Make the two equal where `{}` and `{}` are made, or transpose or reshape one of them.",
                                p.a.name, p.b.name));
  return out;
}

// A shape with open dimensions is what a layer expects, or what a batch has before its size is known.
std::vector<Dimensions> given_shapes(const Facts& f) {
  const auto all = shapes_in(f.failure->words);
  std::vector<Dimensions> fixed;
  for (const auto& shape : all)
    if (std::ranges::find(shape, -1) == shape.end()) fixed.push_back(shape);
  return fixed.empty() ? all : fixed;
}

// An array on the line whose shape, or all of it but the batch, the message repeats.
std::optional<NamedValue> array_in_words(const Facts& f) {
  const auto shapes = given_shapes(f);
  const bool by_layer = !is_own_operation(f);
  for (auto& value : values_on_line(f)) {
    const auto* array = array_of(f, value);
    if (!array || array->shape.empty()) continue;
    for (const auto& shape : shapes) {
      if (shape == array->shape) return value;
      if (!by_layer || shape.size() != array->shape.size()) continue;
      const bool same_rest = std::equal(shape.begin() + 1, shape.end(), array->shape.begin() + 1);
      if (same_rest && shape.size() > 1) return value;
    }
  }
  return std::nullopt;
}

Finding from_words(const Facts& f) {
  const auto array = array_in_words(f);
  const auto said = one_line(f.failure->words, 150);
  Finding out =
      finding(Cause::shape_mismatch, Strength::strong,
              array ? fmt::format("`{}` is {}: {}", array->name, shape_text(array_of(f, *array)->shape), said) : said);
  if (array) out.evidence_for.push_back(value_fact(f, *array));
  else
    for (const auto& value : values_on_line(f))
      if (array_of(f, value) && out.evidence_for.size() < 3) out.evidence_for.push_back(value_fact(f, value));
  out.rival = "the arrays are as they should be, and the layer or the operation is not the one for them";
  out.fix.push_back("Print the shapes right before this line and compare them with what it says it expects.");
  return out;
}

std::optional<NamedValue> reshaped_array(const Facts& f) {
  if (!is_reshape(f.failure->words)) return std::nullopt;
  const auto numbers = numbers_in(f.failure->words);
  std::optional<NamedValue> found;
  for (auto& value : values_on_line(f)) {
    const auto* array = array_of(f, value);
    if (!array || array->shape.empty() || std::ranges::count(numbers, element_count(*array)) == 0) continue;
    if (found) return std::nullopt;
    found = std::move(value);
  }
  return found;
}

Finding from_reshape(const Facts& f, const NamedValue& value) {
  const Array& array = *array_of(f, value);
  const auto rows = static_cast<std::uint64_t>(array.shape.front());
  const auto elements = element_count(array);
  const auto reshape = reshape_in(f.failure->words, own_line(f));
  Finding out = finding(Cause::shape_mismatch, Strength::proven,
                        fmt::format("`{}` {} has {} elements, {}", value.name, shape_text(array.shape),
                                    count_text(elements), clash_text(elements, reshape)));
  out.evidence_for.push_back(value_fact(f, value));
  out.fix.push_back(fix_text(elements, reshape));
  if (array.shape.size() > 1 && rows > 0)
    out.fix.push_back(fmt::format("Each of the {} rows of `{}` has {} elements.", count_text(rows), value.name,
                                  count_text(elements / rows)));
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (!f.failure) return std::nullopt;
  const auto& words = f.failure->words;
  if (!clash_is_of_shapes(words) || is_other(words) || names_types_of_equal_shapes(words)) return std::nullopt;
  const bool says_enough = has_any(
      words, {"same shape", "same length", "dimension mismatch", "inconsistent shapes", "incompatible dimensions"});
  if (numbers_in(words).empty() && shapes_in(words).empty() && !says_enough) return std::nullopt;
  const auto pair = clashing_pair(f);
  if (!pair && (raised_by_user(f) || !raising_library(f))) return std::nullopt;
  const auto reshaped = pair ? std::nullopt : reshaped_array(f);
  Finding out = pair ? from_pair(*pair) : reshaped ? from_reshape(f, *reshaped) : from_words(f);
  out.evidence_for.push_back(error_fact(f));
  out.whose = whose_line(f);
  out.retryable = Retryable::no;
  return out;
}

}  // namespace

extern const Rule shape_mismatch{.title = "shape mismatch", .check = check};

}  // namespace sigwhy::diagnose::rules
