// None, a list, a string or a dictionary where an array is needed: a loader that returned nothing, labels with holes
// from a join, a NumPy array given to a torch layer. The library names the type it got; the values name the variable.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "diagnose/array_error.h"
#include "diagnose/array_words.h"
#include "diagnose/line_use.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

constexpr std::array plain_types = {"NoneType", "list",      "tuple", "dict", "str",         "int",       "float", "numpy.ndarray",
                                    "set",      "generator", "map",   "zip",  "dict_values", "dict_keys", "bytes"};

// The type that the message says it got: "must be Tensor, not list", "(got list)", "found <class 'NoneType'>".
std::optional<std::string> type_got(std::string_view words) {
  for (const std::string_view type : plain_types)
    for (const auto& form : {fmt::format("must be Tensor, not {}", type), fmt::format("np.ndarray (got {})", type),
                             fmt::format("found <class '{}'>", type), fmt::format("handle input: <class '{}'>", type),
                             fmt::format("unsupported type (<class '{}'>) to a Tensor", type),
                             fmt::format("infer dtype of {}", type), fmt::format("(of type <class '{}'>)", type)})
      if (words.find(form) != std::string_view::npos) return std::string(class_name(type));
  if (has_any(words, {"not optional, but None was passed"})) return "NoneType";
  if (has_any(words, {"expects 1 input(s), but it received"})) return "list";
  return std::nullopt;
}

// "'NoneType' object has no attribute 'shape'": something was taken for an array.
struct Without {
  std::string type;
  std::string_view member;
};
std::optional<Without> type_without(std::string_view words) {
  constexpr std::array members = {"shape", "dtype",     "astype",  "reshape",   "ndim",    "numpy", "cuda",    "detach",
                                  "to",    "transpose", "flatten", "unsqueeze", "squeeze", "view",  "permute", "T"};
  for (const std::string_view type : plain_types)
    for (const std::string_view member : members)
      if (words.starts_with(fmt::format("'{}' object has no attribute '{}'", type, member)))
        return Without{std::string(class_name(type)), member};
  return std::nullopt;
}

// Arithmetic or indexing with None is about arrays only where the line holds one.
std::optional<std::string> type_beside_array(const Facts& f) {
  const auto values = values_on_line(f);
  if (std::ranges::none_of(values, [&](const auto& v) { return array_of(f, v) != nullptr; })) return std::nullopt;
  if (f.failure->words.starts_with("unsupported operand type(s)") && has_any(f.failure->words, {"'NoneType'"}))
    return "NoneType";
  return std::nullopt;
}

// "unsupported operand type(s) for /: 'list' and 'float'", "can't multiply sequence by non-int of type 'float'": Python's
// own words for arithmetic that only arrays know. A list of names is no array that was meant.
std::optional<std::string> sequence_in_arithmetic(const Facts& f) {
  constexpr std::array numbers = {"int", "float", "list", "tuple", "ndarray"};
  const auto& words = f.failure->words;
  const bool told = words.starts_with("unsupported operand type(s) for ") || words.starts_with("can't multiply sequence by non-int") ||
                    words.starts_with("can only concatenate list (not ");
  if (!told || !loaded_library(f)) return std::nullopt;
  for (const auto& value : values_on_line(f)) {
    const auto type = class_name(value.type);
    const bool holds_numbers = value.elements && !value.elements->empty() && std::ranges::all_of(*value.elements, [&](const ElementGroup& g) {
      return std::ranges::count(numbers, class_name(g.type)) > 0;
    });
    const bool named = words.starts_with("unsupported") ? has_any(words, {fmt::format("'{}'", type)}) : type == "list" || type == "tuple";
    if (is_sequence(type) && named && holds_numbers && is_operand(own_line(f), value.name)) return std::string(type);
  }
  return std::nullopt;
}

bool refuses_objects(std::string_view words) {
  if (words.starts_with("'NoneType' object")) return false;  // a single value, and no element of an array
  return has_any(words, {"dtype: object", "Unsupported object type", "numpy.object_", "found object",
                         "sequence with mixed types to Tensor", "infer dtype of NoneType", "'NoneType'",
                         "not supported for the input types"});
}

std::string said(std::string_view type) {
  if (type == "NoneType") return "None";
  if (type == "ndarray") return "a NumPy array";
  return fmt::format("{} {}", type == "int" ? "an" : "a", type);
}

std::string needed(const std::optional<std::string>& library) {
  if (!library) return "an array is needed";
  return *library + (*library == "torch" || *library == "tensorflow" ? " needs a tensor" : " needs an array");
}

using Use = std::function<bool(std::string_view line, const NamedValue& value)>;

// The value on the line that has this type and is used so; nothing where two are.
std::optional<NamedValue> value_of_type(const Facts& f, std::string_view type, const Use& is_used) {
  const auto line = own_line(f);
  std::optional<NamedValue> found;
  for (auto& value : values_on_line(f)) {
    // a name that the line does not show is an argument of the function called there
    if (class_name(value.type) != type || (has_any(line, {value.name}) && !is_used(line, value))) continue;
    if (found) return std::nullopt;
    found = std::move(value);
  }
  return found;
}

bool is_argument(std::string_view line, const NamedValue& value) { return is_given_whole(line, value.name); }
bool is_in_arithmetic(std::string_view line, const NamedValue& value) { return is_operand(line, value.name); }

Finding with_holes(const Facts& f, const Holes& holes) {
  const auto of = holes.own ? " of " + holes.value.name : std::string();
  const auto index = index_text(f, holes.value, holes.first);
  const auto first = holes.own ? fmt::format("{}[{}]", holes.value.name, index) : "element " + index;
  const auto line = own_line(f);
  const bool walked =
      holes.own && !holes.value.array && has_any(line, {holes.value.name}) && !is_given_whole(line, holes.value.name);
  Finding out = finding(Cause::not_an_array, walked ? Strength::strong : Strength::proven,
                        holes.count == 1 ? fmt::format("{} is None; an array of numbers cannot hold it", first)
                                         : fmt::format("{} of the {} elements{} are None, the first is {}",
                                                       count_text(holes.count), count_text(holes.all), of, first));
  if (walked) out.rival = fmt::format("what this line makes of `{}`, which may leave None out", holes.value.name);
  out.evidence_for.push_back(value_fact(f, holes.value));
  out.evidence_for.push_back(error_fact(f));
  out.fix.push_back("Drop or fill the missing elements before they become an array.");
  return out;
}

// A model called with a list takes each element for one of its inputs.
std::optional<Finding> list_of_arrays(const Facts& f) {
  const auto& words = f.failure->words;
  if (!has_any(words, {"input(s), but it received", "Invalid input shape for input", "Layer expects"}))
    return std::nullopt;
  for (const auto& value : values_on_line(f)) {
    if (class_name(value.type) != "list" || !value.elements || value.elements->size() != 1) continue;
    const auto& group = value.elements->front();
    if (!group.shape || group.count < 2) continue;
    Finding out = finding(Cause::not_an_array, Strength::proven,
                          fmt::format("`{}` is a list of {} arrays {}: each is taken for an input of its own",
                                      value.name, count_text(group.count), shape_text(*group.shape)));
    out.evidence_for.push_back(value_fact(f, value));
    out.evidence_for.push_back(error_fact(f));
    out.fix.push_back(fmt::format("Stack them into one array first: np.stack({}).", value.name));
    return out;
  }
  return std::nullopt;
}

Finding with_type(const Facts& f, const std::string& type, const Use& is_used) {
  const auto value = value_of_type(f, type, is_used);
  const auto library = raising_library(f);
  Finding out = finding(
      Cause::not_an_array, value ? Strength::proven : Strength::strong,
      fmt::format("{} {} where {}", value ? "`" + value->name + "` is" : "there is", said(type), needed(library)));
  if (value) out.evidence_for.push_back(value_fact(f, *value));
  out.evidence_for.push_back(error_fact(f));
  if (!value) out.rival = "an array that was made in the wrong way on the way there";
  if (type == "NoneType")
    out.fix.push_back("Find where it becomes None: a function without a return, a file that could not be read.");
  else out.fix.push_back("Make it an array of the library that is called (np.asarray, torch.as_tensor, tf.stack).");
  return out;
}

std::optional<Finding> found(const Facts& f) {
  const auto& words = f.failure->words;
  if (const auto type = type_without(words); type && loaded_library(f) && !raised_by_user(f))
    return with_type(f, type->type, [&](std::string_view line, const NamedValue& value) {
      return has_member_read(line, value.name, type->member) || (f.failure->own->frame > 0 && is_argument(line, value));
    });
  if (const auto type = sequence_in_arithmetic(f); type && !raised_by_user(f)) return with_type(f, *type, is_in_arithmetic);
  if (!raising_library(f)) return std::nullopt;
  if (refuses_objects(words))
    if (const auto holes = holes_here(f)) return with_holes(f, *holes);
  if (auto out = list_of_arrays(f)) return out;
  if (const auto type = type_got(words)) return with_type(f, *type, is_argument);
  if (const auto type = type_beside_array(f)) return with_type(f, *type, is_in_arithmetic);
  return std::nullopt;
}

std::optional<Finding> check(const Facts& f) {
  if (!f.failure ||
      !is_a(root_of(f.snapshot, *f.failure), {"TypeError", "ValueError", "AttributeError", "RuntimeError", "OpError"}))
    return std::nullopt;
  auto out = found(f);
  if (!out) return std::nullopt;
  out->whose = whose_line(f);
  out->retryable = Retryable::no;
  return out;
}

}  // namespace

extern const Rule not_an_array{.title = "not an array", .check = check};

}  // namespace sigwhy::diagnose::rules
