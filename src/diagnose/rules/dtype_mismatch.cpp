// Elements of a type that the operation does not take: two tensors of different dtypes, floats written into an integer
// image, Python objects or strings where numbers are needed. NumPy has classes for it (UFuncTypeError and its kin); the
// others name the two types in the message, torch by names of its own.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/array_error.h"
#include "diagnose/array_words.h"
#include "diagnose/line_use.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

bool is_dtype_class(const PyException& e) {
  return is_a(e, {"UFuncTypeError", "_UFuncNoLoopError", "_UFuncCastingError", "_UFuncInputCastingError",
                  "_UFuncOutputCastingError", "_UFuncBinaryResolutionError"});
}

// Python's own type errors name types as well ("float() argument must be a string"), of single values.
bool is_plain_python(std::string_view words) {
  return words.starts_with("'") || words.starts_with("float() ") || words.starts_with("int() ") ||
         words.starts_with("unsupported operand") || words.starts_with("can only ");
}

bool names_two_types(std::string_view words) {
  if (has_any(words, {"Expected a value of type"})) return false;  // TorchScript's, of classes and not of elements
  if (names_types_of_equal_shapes(words) && has_any(words, {"ncompatible"})) return true;
  return dtypes_in(words).size() >= 2 && has_any(words, {"type", "Cast ", "cast", " tensor"}) &&
         has_any(words, {"expected to", "Expected tensor", "expected scalar", "expected type", "same", "match", "cast",
                         "not supported", "but got", "but found", "but is ", "converted", "allowed values",
                         "requested dtype", "only supported"});
}

bool refuses_type(std::string_view words) {
  return has_any(
      words,
      {"Invalid dtype", "nsupported dtype", "Unsupported object type", "not supported for the input types",
       "of integer (or boolean) type", "infer output dtype", "Only Tensors of floating point",
       "must contain tensors, numpy arrays, numbers, dicts or lists; found object", "mixed types to Tensor",
       "loop of ufunc does not support", "resolved dtypes are not compatible", "and bias type (", "and weight type (",
       "too many dimensions 'str'", "could not convert string to float", "must have the same dtype", "string to float is not supported"});
}

bool is_unusual(const Array& a) {
  return a.dtype == "object" || a.dtype.starts_with("<U") || a.dtype.starts_with("|S");
}

std::string dtype_of(const Array& a) {
  return a.dtype.starts_with("<U") || a.dtype.starts_with("|S") ? "str" : a.dtype;
}

// A message that names types is about an array of one of them.
bool may_mean(std::string_view words, const Array& a) {
  if (dtypes_in(words).empty()) return true;
  if (a.dtype == "object") return has_any(words, {"object", "dtype('O')", "loop of ufunc"});
  return has_any(words, {"str", "<U", "|S", "dtype('S"});
}

std::vector<NamedValue> arrays_on_line(const Facts& f) {
  std::vector<NamedValue> arrays;
  for (auto& value : values_on_line(f))
    if (const auto* array = array_of(f, value); array && !array->dtype.empty()) arrays.push_back(std::move(value));
  return arrays;
}

// The two arrays whose dtypes the message names.
std::optional<std::pair<NamedValue, NamedValue>> told_pair(const Facts& f, const std::vector<NamedValue>& arrays) {
  const auto told = dtypes_in(f.failure->words);
  const auto line = own_line(f);
  const auto is_told = [&](const NamedValue& v) { return std::ranges::count(told, array_of(f, v)->dtype) > 0; };
  for (std::size_t i = 0; i < arrays.size(); ++i)
    for (std::size_t j = i + 1; j < arrays.size(); ++j)
      if (array_of(f, arrays[i])->dtype != array_of(f, arrays[j])->dtype && is_told(arrays[i]) && is_told(arrays[j]) &&
          (may_meet(line, arrays[i].name, arrays[j].name) || may_meet(line, arrays[j].name, arrays[i].name)))
        return std::pair(arrays[i], arrays[j]);
  return std::nullopt;
}

Finding from_pair(const Facts& f, const NamedValue& a, const NamedValue& b) {
  const auto &x = *array_of(f, a), &y = *array_of(f, b);
  Finding out = finding(Cause::dtype_mismatch, Strength::proven,
                        fmt::format("`{}` is {} and `{}` is {}; this operation does not take the two together", a.name,
                                    x.dtype, b.name, y.dtype));
  out.evidence_for.push_back(value_fact(f, a));
  out.evidence_for.push_back(value_fact(f, b));
  out.fix.push_back(
      fmt::format("Convert one of them first: `{}` to {}, or `{}` to {}.", a.name, y.dtype, b.name, x.dtype));
  return out;
}

Finding from_unusual(const Facts& f, const NamedValue& value) {
  const auto& array = *array_of(f, value);
  const auto holds = value.elements && !value.elements->empty() ? " (" + elements_text(*value.elements) + ")" : "";
  Finding out =
      finding(Cause::dtype_mismatch, Strength::proven,
              fmt::format("`{}` has dtype {}{}, which is no type of numbers", value.name, dtype_of(array), holds));
  out.evidence_for.push_back(value_fact(f, value));
  out.fix.push_back(
      fmt::format("Make `{}` an array of numbers where it is made, and see what does not convert.", value.name));
  return out;
}

std::string said_of(const Facts& f, const std::vector<NamedValue>& arrays) {
  const auto told = dtypes_in(f.failure->words);
  if (is_bare_arguments(f.failure->words))
    return told.size() < 2 ? std::string("the operation does not take elements of this type")
                           : fmt::format("the operation does not take {} and {} together", told[0], told[1]);
  const auto said = one_line(f.failure->words, 180);
  if (arrays.size() != 1) return said;
  return fmt::format("`{}` is {}: {}", arrays[0].name, dtype_of(*array_of(f, arrays[0])), said);
}

Finding from_words(const Facts& f, const std::vector<NamedValue>& arrays) {
  Finding out = finding(Cause::dtype_mismatch, Strength::strong, said_of(f, arrays));
  for (const auto& value : arrays)
    if (out.evidence_for.size() < 3) out.evidence_for.push_back(value_fact(f, value));
  out.rival = "a value of the right type that was converted on its way there";
  out.fix.push_back("Convert to one dtype before this line (astype, tf.cast, Tensor.to).");
  return out;
}

Finding judged(const Facts& f) {
  const auto arrays = arrays_on_line(f);
  if (const auto pair = told_pair(f, arrays)) return from_pair(f, pair->first, pair->second);
  const auto is_meant = [&](const NamedValue& v) {
    return is_unusual(*array_of(f, v)) && may_mean(f.failure->words, *array_of(f, v));
  };
  if (std::ranges::count_if(arrays, is_meant) == 1) return from_unusual(f, *std::ranges::find_if(arrays, is_meant));
  return from_words(f, arrays);
}

std::optional<Finding> check(const Facts& f) {
  if (!f.failure) return std::nullopt;
  const auto& words = f.failure->words;
  const bool by_class = is_dtype_class(root_of(f.snapshot, *f.failure));
  if (!by_class) {
    if (is_plain_python(words) || (!names_two_types(words) && !refuses_type(words))) return std::nullopt;
    if (raised_by_user(f) || !raising_library(f)) return std::nullopt;
  }
  Finding out = judged(f);
  out.evidence_for.push_back(error_fact(f));
  out.whose = whose_line(f);
  out.retryable = Retryable::no;
  return out;
}

}  // namespace

extern const Rule dtype_mismatch{.title = "dtype mismatch", .check = check};

}  // namespace sigwhy::diagnose::rules
