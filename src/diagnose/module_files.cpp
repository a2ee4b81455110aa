#include "diagnose/module_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/phrases.h"
#include "diagnose/python_failure.h"
#include "evidence/module_file.h"

namespace sigwhy::diagnose {

namespace {

bool asks_for(const PyException& e, std::string_view file) {
  if (!is_a(e, {"ImportError"})) return false;
  auto name = quoted_behind(e.message, "No module named '");
  if (name.empty()) name = quoted_behind(e.message, "cannot import name '");
  name = name.substr(name.rfind('.') + 1);
  return !name.empty() && file_name(file).starts_with(std::string(name) + ".");
}

std::optional<std::size_t> seen_as(const Facts& f, std::string_view how) {
  const auto found = std::ranges::find(f.snapshot.inputs, how, &Input::seen);
  if (found == f.snapshot.inputs.end()) return std::nullopt;
  return static_cast<std::size_t>(found - f.snapshot.inputs.begin());
}

// Is code of the installed one running, or loaded?
bool is_in_use(const Facts& f, std::string_view installed) {
  const auto folder = installed.substr(0, installed.rfind('/') + 1);
  const auto uses = [&](std::string_view path) {
    return installed.ends_with("/__init__.py") ? path.starts_with(folder) : path == installed;
  };
  for (const auto& e : f.snapshot.python_exceptions)
    if (std::ranges::any_of(e.traceback, uses, &PythonFrame::file)) return true;
  return std::ranges::any_of(f.snapshot.modules, uses, &Module::path);
}

}  // namespace

std::string python_in_name(std::string_view file) {
  constexpr std::string_view mark = ".cpython-";
  const auto at = file.find(mark);
  const auto digits = at == std::string_view::npos ? "" : file.substr(at + mark.size());
  const auto count = std::min(digits.find_first_not_of("0123456789"), digits.size());
  return count < 2 ? std::string() : fmt::format("{}.{}", digits[0], digits.substr(1, count - 1));
}

std::optional<OtherPython> other_python(const Facts& f) {
  const auto& s = f.snapshot;
  if (!f.failure || s.interpreters.empty() || s.interpreters[0].version.empty()) return std::nullopt;
  // A failed import that was answered with another error is what optional parts of packages look like.
  if (!is_a(s.python_exceptions[f.failure->told.front()], {"ImportError"})) return std::nullopt;
  for (auto at = s.python_exceptions.size(); at-- > 0;) {
    std::optional<OtherPython> found;
    for (std::size_t i = 0; i < s.inputs.size(); ++i) {
      if (s.inputs[i].seen != lies_where_asked || !asks_for(s.python_exceptions[at], s.inputs[i].path)) continue;
      const auto built_for = python_in_name(file_name(s.inputs[i].path));
      if (built_for.empty() || built_for == s.interpreters[0].version) return std::nullopt;  // one that may fit
      found = OtherPython{at, i, built_for, s.interpreters[0].version};
    }
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<HiddenModule> hidden_module(const Facts& f) {
  const auto own = seen_as(f, found_first), installed = seen_as(f, installed_too);
  if (!f.failure || !own || !installed || is_in_use(f, f.snapshot.inputs[*installed].path)) return std::nullopt;
  const auto& e = f.snapshot.python_exceptions.front();
  const bool told = e.message.find(f.snapshot.inputs[*own].path) != std::string::npos;
  return HiddenModule{std::string(module_that_lacks(e.message)), *own, *installed, told};
}

}  // namespace sigwhy::diagnose
