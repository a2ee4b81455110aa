#include "diagnose/array_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "diagnose/array_words.h"
#include "diagnose/phrases.h"
#include "evidence/own_code.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::array libraries = {"numpy",   "torch",   "tensorflow", "keras", "jax",  "jaxlib",      "pandas", "scipy",
                                  "sklearn", "xgboost", "lightgbm",   "cv2",   "cupy", "torchvision", "h5py",   "PIL"};

bool in_package(std::string_view file, std::string_view package) {
  for (const std::string_view folder : {"-packages/"}) {
    const auto at = file.find(folder);
    if (at == std::string_view::npos) continue;
    const auto rest = file.substr(at + folder.size());
    if (rest.starts_with(package) && rest.substr(package.size()).starts_with('/')) return true;
  }
  return false;
}

std::optional<std::string> library_of_frame(const PythonFrame& frame) {
  if (frame.file.starts_with("<__array_function__")) return "numpy";
  for (const std::string_view library : libraries)
    if (in_package(frame.file, library)) return std::string(library);
  return std::nullopt;
}

std::optional<std::string> library_of_class(const PyException& e) {
  for (const std::string_view library : libraries)
    if (e.type.starts_with(std::string(library) + ".")) return std::string(library);
  return std::nullopt;
}

struct Container {
  NamedValue value;
  bool own;
};

// Lists and object arrays: on the line first, then in the functions called from it. A tuple of theirs mostly holds the
// arguments of the next call and no rows.
std::vector<Container> containers_of_call(const Facts& f) {
  std::vector<Container> found;
  const auto keep = [&](NamedValue value, bool own) {
    const bool rows = value.array || class_name(value.type) == "list" || (own && class_name(value.type) == "tuple");
    if (rows && value.elements && !value.elements->empty()) found.push_back({std::move(value), own});
  };
  for (auto& value : values_on_line(f)) keep(std::move(value), true);
  if (!f.failure->own) return found;
  const FrameAt own = *f.failure->own;
  for (auto frame = own.frame; frame-- > 0;)
    for (auto& value : values_of_frame(f, {own.exception, frame})) keep(std::move(value), false);
  return found;
}

std::string group_text(const ElementGroup& g) {
  const auto type = g.type == "NoneType" ? std::string("None") : std::string(class_name(g.type));
  if (g.length)
    return fmt::format("{} {}{} of length {}", count_text(g.count), type, g.count == 1 ? "" : "s", count_text(*g.length));
  if (g.shape) return fmt::format("{} {} {}", count_text(g.count), type, shape_text(*g.shape));
  return fmt::format("{} {}", count_text(g.count), type);
}

struct Alias {
  std::string_view name, library;
};
constexpr std::array aliases = {Alias{"np", "numpy"},    Alias{"torch", "torch"}, Alias{"tf", "tensorflow"},
                                Alias{"numpy", "numpy"}, Alias{"jnp", "jax"},     Alias{"tensorflow", "tensorflow"},
                                Alias{"keras", "keras"}, Alias{"pd", "pandas"},   Alias{"cv2", "cv2"}};

// By the name a module usually has on the line, else by the arrays there.
std::optional<std::string> library_on_line(const Facts& f) {
  if (loaded_library(f))
    for (const auto& name : names_in(failing_line(f)))
      if (const auto alias = std::ranges::find(aliases, name, &Alias::name); alias != aliases.end())
        return std::string(alias->library);
  for (const auto& value : values_on_line(f))
    if (const auto* array = array_of(f, value)) {
      if (array->kind == ArrayKind::torch) return "torch";
      return array->kind == ArrayKind::tensorflow ? "tensorflow" : "numpy";
    }
  return std::nullopt;
}

// Length, or shape, of the rows in one group; nothing where its elements are no rows.
std::optional<std::string> row_key(const ElementGroup& g) {
  if (g.shape) return shape_text(*g.shape);
  if (g.length && is_sequence(g.type)) return std::to_string(*g.length);
  return std::nullopt;
}

std::uint64_t row_length(const ElementGroup& g) {
  if (g.length) return *g.length;
  return g.shape && !g.shape->empty() ? static_cast<std::uint64_t>(g.shape->front()) : 0;
}

// Several groups may share a length and differ in type.
std::vector<ElementGroup> merged_by_length(const std::vector<ElementGroup>& groups) {
  std::vector<ElementGroup> out;
  std::map<std::string, std::size_t> known;
  for (const auto& g : groups) {
    const auto key = row_key(g);
    if (!key) return {};
    const auto [at, is_new] = known.emplace(*key, out.size());
    if (is_new) {
      out.push_back(g);
      continue;
    }
    out[at->second].count += g.count;
    out[at->second].first = std::min(out[at->second].first, g.first);
  }
  return out;
}

}  // namespace

std::optional<std::string> loaded_library(const Facts& f) {
  for (const std::string_view library : libraries)
    for (const auto& module : f.snapshot.modules)
      if (module.package == library || in_package(module.path, library)) return std::string(library);
  return std::nullopt;
}

// A worker's exception reaches its parent as text. A line of C has no frame there either, but NumPy and torch name
// the operation in words that nobody else uses.
std::optional<std::string> library_of_remote(const Facts& f) {
  const auto& chain = f.snapshot.python_exceptions;
  const auto remote = std::ranges::find(chain, ExceptionLink::remote, &PyException::link);
  if (remote == chain.end()) return std::nullopt;
  if (has_any(f.failure->words, {"gufunc signature", "operands could not be broadcast together"})) return "numpy";
  for (const char* library : {"numpy", "torch", "tensorflow", "keras", "pandas"})
    if (has_any(remote->message, {fmt::format("-packages/{}/", library)})) return library;
  return std::nullopt;
}

std::optional<std::string> raising_library(const Facts& f) {
  const auto& root = root_of(f.snapshot, *f.failure);
  if (auto library = library_of_class(root)) return library;
  for (const auto& frame : root.traceback) {
    if (is_own_code(frame)) break;
    if (auto library = library_of_frame(frame)) return library;
  }
  // Its C code has no frame: the innermost one is the user's line, or that of another library.
  if (raised_by_user(f)) return std::nullopt;
  if (auto library = library_on_line(f)) return library;
  for (const auto at : f.failure->told)
    for (const auto& frame : f.snapshot.python_exceptions[at].traceback)
      if (auto library = library_of_frame(frame)) return library;
  return library_of_remote(f);
}

std::optional<UnequalRows> unequal_rows(const NamedValue& value) {
  if (!value.elements || value.elements->size() < 2) return std::nullopt;
  const auto groups = merged_by_length(*value.elements);
  if (groups.size() < 2) return std::nullopt;
  // Of two equally common lengths the one that came first is taken as the usual one.
  const auto usual = std::ranges::max_element(
      groups, [](const auto& a, const auto& b) { return a.count != b.count ? a.count < b.count : a.first > b.first; });
  const ElementGroup* odd = nullptr;
  UnequalRows rows{.value = value, .usual = row_length(*usual), .usual_count = usual->count, .lengths = groups.size()};
  rows.least = rows.most = rows.usual;
  for (const auto& g : groups) {
    rows.least = std::min(rows.least, row_length(g));
    rows.most = std::max(rows.most, row_length(g));
    if (&g == &*usual) continue;
    rows.odd_count += g.count;
    if (!odd || g.first < odd->first) odd = &g;
  }
  rows.odd = row_length(*odd);
  rows.odd_index = odd->first;
  rows.by_shape = usual->shape && odd->shape;
  if (rows.by_shape) rows.usual_shape = shape_text(*usual->shape), rows.odd_shape = shape_text(*odd->shape);
  return rows;
}

std::optional<UnequalRows> unequal_rows_here(const Facts& f) {
  for (const auto& value : containers_of_call(f))
    if (auto rows = unequal_rows(value.value)) {
      rows->own = value.own;
      return rows;
    }
  return std::nullopt;
}

std::optional<UnequalRows> unequal_objects_here(const Facts& f) {
  for (const auto& value : containers_of_call(f)) {
    const auto* array = array_of(f, value.value);
    if (!value.own && !array) continue;
    if (auto rows = unequal_rows(value.value)) {
      rows->own = value.own;
      return rows;
    }
  }
  return std::nullopt;
}

std::optional<Holes> holes_here(const Facts& f) {
  for (const auto& [value, own] : containers_of_call(f)) {
    Holes holes{.value = value, .own = own};
    for (const auto& g : *value.elements) {
      holes.all += g.count;
      if (g.type == "NoneType") holes.count = g.count, holes.first = g.first;
    }
    if (holes.count > 0) return holes;
  }
  return std::nullopt;
}

Fact error_fact(const Facts& f) {
  const auto at = f.failure->told.back();
  const auto words = is_bare_arguments(f.failure->words) ? std::string() : ": " + one_line(f.failure->words, 140);
  return fact("exception", fmt::format("{}{}", f.failure->type, words),
              {ref(fmt::format("/python_exceptions/{}", at))});
}

std::string index_text(const Facts& f, const NamedValue& value, std::uint64_t flat) {
  const auto* array = array_of(f, value);
  if (!array || array->shape.size() < 2 || std::ranges::any_of(array->shape, [](std::int64_t n) { return n <= 0; }))
    return std::to_string(flat);
  std::string text;
  for (auto n = array->shape.rbegin(); n != array->shape.rend(); ++n) {
    const auto size = static_cast<std::uint64_t>(*n);
    text = std::to_string(flat % size) + (text.empty() ? "" : ", ") + text;
    flat /= size;
  }
  return text;
}

std::string elements_text(const std::vector<ElementGroup>& groups) {
  std::string text;
  for (std::size_t i = 0; i < groups.size() && i < 3; ++i) text += (i ? ", " : "") + group_text(groups[i]);
  return groups.size() > 3 ? text + fmt::format(" and {} more kinds", groups.size() - 3) : text;
}

Fact value_fact(const Facts& f, const NamedValue& value) {
  std::string sentence;
  if (const auto* array = array_of(f, value))
    sentence = fmt::format("`{}` is {} {}", value.name, array->dtype.empty() ? array->type : array->dtype,
                           shape_text(array->shape));
  else sentence = fmt::format("`{}` is a {}", value.name, class_name(value.type));
  if (value.elements && !value.elements->empty()) sentence += ": " + elements_text(*value.elements);
  return fact("value", std::move(sentence), evidence_of(value));
}

Whose whose_line(const Facts& f) { return f.failure->own ? Whose::your_code : Whose::framework; }

}  // namespace sigwhy::diagnose
