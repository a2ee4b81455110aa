// new threw std::bad_alloc: the memory was refused, by a limit or because the request was absurd. Which of the two
// cannot be seen without the size; a limit on the address space speaks for the first.
#include <fmt/format.h>

#include "diagnose/phrases.h"
#include "diagnose/python_state.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

std::optional<std::size_t> memory_limit(const Facts& f) {
  for (const auto* name : {"address-space", "data-size"})
    if (soft_limit(f, name)) return limit_index(f, name);
  return std::nullopt;
}

std::optional<Finding> check(const Facts& f) {
  const auto escaped = escaped_exception(f);
  if (!escaped || f.snapshot.exceptions[*escaped].type != "std::bad_alloc") return std::nullopt;
  const auto limit = memory_limit(f);
  Finding out = finding(Cause::out_of_memory_refused, limit ? Strength::strong : Strength::plausible,
                        limit ? fmt::format("a request for memory was refused; the process is limited to {}",
                                            bytes_text(*f.snapshot.process.limits[*limit].soft))
                              : "a request for memory may have been refused for lack of it");
  out.explains = Cause::uncaught_cpp_exception;
  out.evidence_for.push_back(
      fact("exception", "std::bad_alloc is alive: an allocation was refused", {exception_ref(*escaped)}));
  if (limit)
    out.evidence_for.push_back(
        fact("limit", fmt::format("the limit on memory is {}", bytes_text(*f.snapshot.process.limits[*limit].soft)),
             {ref(fmt::format("/process/limits/{}", *limit))}));
  out.rival = "a request so large that no machine could serve it (a negative or overflowed size)";
  out.fix.push_back(limit ? "Raise the limit (ulimit -v), or use less memory."
                          : "Check the size that was asked for; use less memory or a machine with more.");
  out.whose = limit ? Whose::environment : responsible(f);
  out.retryable = Retryable::unknown;
  out.prediction = "with the limit lifted it does not die here";
  return out;
}

}  // namespace

extern const Rule out_of_memory_refused{.title = "memory refused", .check = check};

}  // namespace sigwhy::diagnose::rules
