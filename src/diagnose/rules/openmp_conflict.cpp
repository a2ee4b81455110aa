// Intel's and LLVM's OpenMP runtimes refuse to live beside another copy of themselves: "OMP: Error #15".
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

bool is_openmp(std::string_view path) {
  const auto file = file_name(path);
  return file.starts_with("libiomp5") || file.starts_with("libomp") || file.starts_with("libgomp");
}

std::optional<Finding> check(const Facts& f) {
  if (f.signal != SIGABRT) return std::nullopt;
  const auto text = text_with(f, TextKind::openmp_error, {"OMP: Error #15"});
  if (!text) return std::nullopt;
  Finding out = finding(Cause::openmp_conflict, Strength::proven,
                        fmt::format("two OpenMP runtimes met: {}", one_line(f.snapshot.texts[*text].text, 150)));
  out.evidence_for.push_back(fact("text", "the OpenMP runtime says so and aborts", {text_ref(*text)}));
  for (std::size_t i = 0; i < f.snapshot.modules.size(); ++i)
    if (is_openmp(f.snapshot.modules[i].path))
      out.evidence_for.push_back(fact("runtime",
                                      fmt::format("{} is loaded", one_line(file_name(f.snapshot.modules[i].path), 60)),
                                      {ref(fmt::format("/modules/{}", i))}));
  out.fix.push_back(
      "Install the packages from one source, so that they share one OpenMP runtime; KMP_DUPLICATE_LIB_OK only hides "
      "it.");
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  out.prediction = "with only one of the runtimes loaded it does not die here";
  return out;
}

}  // namespace

extern const Rule openmp_conflict{.title = "OpenMP conflict", .check = check};

}  // namespace sigwhy::diagnose::rules
