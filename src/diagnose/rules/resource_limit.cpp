// A limit of the process was reached and the kernel refused: a file grew beyond RLIMIT_FSIZE (SIGXFSZ), or threads
// could not be made (the C++ library then throws, checks fail).
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/phrases.h"
#include "diagnose/python_state.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

// The kernel sends SIGXFSZ in the name of the process itself.
std::optional<Finding> by_file_size(const Facts& f) {
  if (f.signal != SIGXFSZ || f.raised == Raised::by_process) return std::nullopt;
  const auto limit = soft_limit(f, "file-size");
  Finding out = finding(Cause::resource_limit, limit ? Strength::proven : Strength::strong,
                        limit ? fmt::format("a file would have grown beyond the limit of {}", bytes_text(*limit))
                              : "a file would have grown beyond the file size limit");
  out.evidence_for.push_back(
      fact("signal", "the kernel sends SIGXFSZ when a write would exceed the file size limit", {signal_ref(f)}));
  if (limit)
    out.evidence_for.push_back(fact("limit", fmt::format("the limit is {}", bytes_text(*limit)),
                                    {ref(fmt::format("/process/limits/{}", *limit_index(f, "file-size")))}));
  else out.rival = "a SIGXFSZ that was sent for another reason";
  out.fix.push_back("Raise the limit (ulimit -f), or write smaller files.");
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  return out;
}

std::optional<Finding> by_threads(const Facts& f) {
  if (f.signal != SIGABRT) return std::nullopt;
  const auto text = any_text_with(f, {"pthread_create() failed", "pthread_create failed"});
  const auto exception = escaped_exception(f);
  const bool refused =
      exception && exception_with(f, {"std::system_error"}) == exception &&
      f.snapshot.exceptions[*exception].what.value_or("").find("Resource temporarily unavailable") != std::string::npos;
  if (!text && !refused) return std::nullopt;
  const auto space = limit_index(f, "address-space");
  const bool limited = space && f.snapshot.process.limits[*space].soft;
  Finding out = finding(Cause::resource_limit, limited ? Strength::strong : Strength::plausible,
                        limited ? "a thread could not be made: the address space is limited"
                                : "a thread could not be made: a limit on threads or memory may have been reached");
  out.explains = text ? Cause::failed_check : Cause::uncaught_cpp_exception;
  out.evidence_for.push_back(
      fact("refused", "the kernel refused a new thread", {text ? text_ref(*text) : exception_ref(*exception)}));
  if (limited)
    out.evidence_for.push_back(fact(
        "limit", fmt::format("the address space is limited to {}", bytes_text(*f.snapshot.process.limits[*space].soft)),
        {ref(fmt::format("/process/limits/{}", *space))}));
  out.rival = "the limit on processes and threads of this user or container (ulimit -u, pids.max)";
  out.fix.push_back(
      "Raise the limit that is reached (ulimit -v, ulimit -u, the container's pids limit), or use fewer threads.");
  out.whose = Whose::environment;
  out.retryable = Retryable::unknown;
  out.prediction = "with the limit lifted it does not die here";
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (auto found = by_file_size(f)) return found;
  return by_threads(f);
}

}  // namespace

extern const Rule resource_limit{.title = "resource limit", .check = check};

}  // namespace sigwhy::diagnose::rules
