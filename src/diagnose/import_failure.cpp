#include "diagnose/import_failure.h"

#include <algorithm>

#include "diagnose/array_words.h"
#include "diagnose/line_values.h"

namespace sigwhy::diagnose {

namespace {

std::string word_behind(std::string_view text, std::string_view lead) {
  const auto at = text.find(lead);
  if (at == std::string_view::npos) return {};
  const auto rest = text.substr(at + lead.size());
  return std::string(rest.substr(0, rest.find_first_of(" ,)\n'")));
}

// "/a/b.so: undefined symbol: x" -> "/a/b.so"
std::string file_before(std::string_view text, std::string_view mark) {
  const auto end = text.find(mark);
  if (end == std::string_view::npos) return {};
  const auto head = text.substr(0, end);
  const auto blank = head.find_last_of(" \n");
  return std::string(blank == std::string_view::npos ? head : head.substr(blank + 1));
}

// "libstdc++.so.6: version `GLIBCXX_3.4.30' not found (required by /a/b.so)"
void add_version(std::string_view text, ImportFailure& out) {
  if (text.find("' not found") == std::string_view::npos &&
      text.find("not found (required by") == std::string_view::npos)
    return;
  out.version = word_behind(text, ": version `");
  if (out.version.empty()) return;
  out.provider = file_before(text, ": version `");
  out.module = word_behind(text, "required by ");
}

void add_symbol(std::string_view text, ImportFailure& out) {
  out.symbol = word_behind(text, "undefined symbol: ");
  if (!out.symbol.empty()) out.module = file_before(text, ": undefined symbol: ");
}

// "numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject";
// "module compiled against ABI version 0x1000009 but this version of numpy is 0x2000000"; "A module that was compiled
// using NumPy 1.x cannot be run in NumPy 2.0.0 as it may crash."
void add_sides(std::string_view text, ImportFailure& out) {
  const auto set = [&](const std::string& lead, const std::string& built, const std::string& runs) {
    if (built.empty() || runs.empty()) return;
    out.built_for = lead + built;
    out.runs_with = lead + runs;
  };
  const auto major = text.find("compiled using NumPy ");
  if (out.sizes_changed) {
    const auto built = word_behind(text, "Expected "), runs = word_behind(text, "got ");
    if (built.empty() || runs.empty()) return;
    out.built_for = "one whose " + std::string(text.substr(0, text.find(' '))) + " has " + built + " bytes";
    out.runs_with = "where it has " + runs;
  } else if (major != std::string_view::npos) {
    auto run_in = text.substr(std::min(text.find("cannot be run in", major), text.size()));
    set("NumPy ", word_behind(text, "compiled using NumPy "), word_behind(run_in, "NumPy "));
  } else {
    for (const std::string_view kind : {"ABI version ", "API version "})
      if (text.find(kind) != std::string_view::npos)
        set("NumPy's " + std::string(kind), word_behind(text, kind), word_behind(text, "version of numpy is "));
  }
}

bool is_loader_error(const PyException& e) { return is_a(e, {"ImportError", "OSError"}); }

}  // namespace

std::optional<ImportFailure> import_failure(const Facts& f) {
  if (!f.failure || raised_by_user(f)) return std::nullopt;
  const auto& all = f.snapshot.python_exceptions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& e = all[i];
    ImportFailure out{.exception = i};
    if (is_loader_error(e)) {
      add_symbol(e.message, out);
      add_version(e.message, out);
      out.wrong_machine = has_any(e.message, {"wrong ELF class", "Exec format error"});
    }
    out.sizes_changed = is_a(e, {"ValueError", "RuntimeError", "ImportError"}) &&
                        has_any(e.message, {" size changed, may indicate binary incompatibility"});
    out.numpy_major =
        is_a(e, {"ImportError", "AttributeError", "RuntimeError"}) &&
        has_any(e.message, {"compiled using NumPy 1.x cannot be run in", "_ARRAY_API not found",
                            "numpy.core.multiarray failed to import", "module compiled against API version",
                            "module compiled against ABI version"});
    if (out.sizes_changed || out.numpy_major) add_sides(e.message, out);
    if (!out.symbol.empty() || !out.version.empty() || out.sizes_changed || out.numpy_major || out.wrong_machine)
      return out;
  }
  return std::nullopt;
}

std::optional<std::string> library_override(const Facts& f) {
  for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD"})
    if (const auto at = f.snapshot.process.switches.find(name);
        at != f.snapshot.process.switches.end() && !at->second.empty())
      return name;
  return std::nullopt;
}

}  // namespace sigwhy::diagnose
