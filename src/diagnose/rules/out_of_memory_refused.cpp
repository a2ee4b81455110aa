// Memory was refused, by a limit or because the request was absurd. C++ says std::bad_alloc and tells no size: there a
// limit on the address space speaks for the first. Python says MemoryError, NumPy, torch and TensorFlow tell the size.
#include <fmt/format.h>

#include "diagnose/array_error.h"
#include "diagnose/memory_request.h"
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

// Nothing is unwound before the program ends: what is mapped now was mapped when the request came, so it asked for more
// than was left.
std::string asked_text(std::uint64_t limit, std::uint64_t used) {
  if (used == 0 || used >= limit) return {};
  return fmt::format(": more than the {} that were left", bytes_text(limit - used));
}

void add_limit_facts(const Facts& f, std::size_t limit, std::uint64_t used, Finding& out) {
  const Limit& l = f.snapshot.process.limits[limit];
  out.evidence_for.push_back(fact("limit",
                                  fmt::format("the limit on {} is {}", l.name == "data-size" ? "data" : "the address space",
                                              bytes_text(*l.soft)),
                                  {ref(fmt::format("/process/limits/{}", limit))}));
  if (used)
    out.evidence_for.push_back(fact("use", fmt::format("{} are mapped", bytes_text(used)), {ref("/regions")}));
}

std::optional<Finding> by_cpp(const Facts& f) {
  const auto escaped = escaped_exception(f);
  if (!escaped || f.snapshot.exceptions[*escaped].type != "std::bad_alloc") return std::nullopt;
  const auto limit = memory_limit(f);
  const auto used = mapped_bytes(f);
  const auto bytes = limit ? *f.snapshot.process.limits[*limit].soft : 0;
  Finding out = finding(Cause::out_of_memory_refused, limit ? Strength::strong : Strength::plausible,
                        limit ? fmt::format("a request for memory was refused{}; the process is limited to {}",
                                            asked_text(bytes, used), bytes_text(bytes))
                              : "a request for memory may have been refused for lack of it");
  out.explains = Cause::uncaught_cpp_exception;
  out.evidence_for.push_back(
      fact("exception", "std::bad_alloc is alive: an allocation was refused", {exception_ref(*escaped)}));
  if (limit) add_limit_facts(f, *limit, used, out);
  out.rival = "a request so large that no machine could serve it (a negative or overflowed size)";
  out.fix.push_back(limit ? "Raise the limit (ulimit -v), or use less memory."
                          : "Check the size that was asked for; use less memory or a machine with more.");
  out.whose = limit ? Whose::environment : responsible(f);
  out.retryable = Retryable::unknown;
  out.prediction = "with the limit lifted it does not die here";
  return out;
}

// How much the process held is not said: the frames that held it have let go by the time the error is printed.
std::string use_text(const Facts& f) {
  const auto memory = f.snapshot.host.memory_bytes;
  return memory ? fmt::format("; the machine has {}", bytes_text(memory)) : std::string();
}

std::optional<Finding> by_python(const Facts& f) {
  const auto request = memory_request(f);
  if (!request || is_impossible(f, *request)) return std::nullopt;
  const bool told = request->bytes && !request->from_line;
  const bool too_much =
      told && !request->handled && f.snapshot.host.memory_bytes && *request->bytes > f.snapshot.host.memory_bytes;
  Finding out = finding(Cause::out_of_memory_refused, too_much ? Strength::proven : Strength::strong,
                        fmt::format("{} refused{}{}", told ? bytes_text(*request->bytes) + " were" : "memory was",
                                    request->what.empty() ? ""
                                    : told                ? ", for " + request->what
                                                          : ": " + request->what,
                                    use_text(f)));
  add_request_facts(f, *request, out);
  if (request->handled) out.rival = rival_error;
  else if (!told) out.rival = "a size so large that no machine could serve it (a wrong or overflowed number)";
  else if (!too_much) out.rival = "a library that refused this size by a rule of its own";
  out.fix.push_back("Ask for less at once (smaller batches, a smaller dtype, a sparse or mapped array).");
  out.whose = whose_line(f);
  out.retryable = too_much ? Retryable::no : Retryable::unknown;
  return out;
}

std::optional<Finding> check(const Facts& f) { return f.failure ? by_python(f) : by_cpp(f); }

}  // namespace

extern const Rule out_of_memory_refused{.title = "memory refused", .check = check};

}  // namespace sigwhy::diagnose::rules
