// A kernel read or wrote where the GPU has nothing mapped for it. The driver tells neither kernel nor address, and
// tells it late: to the next call that waits for the GPU, from whatever line.
#include <fmt/format.h>

#include "diagnose/array_error.h"
#include "diagnose/gpu_error.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

std::string claim_of(const Facts& f) {
  if (launches_block(f))
    return fmt::format("a GPU kernel that {} launched accessed memory that is not there", reporting_line(f));
  return fmt::format(
      "a GPU kernel accessed memory that is not there; {} reports it, and an earlier line may have launched "
      "it (CUDA_LAUNCH_BLOCKING is not set)",
      reporting_line(f));
}

std::optional<Finding> check(const Facts& f) {
  const auto found = gpu_error(f, GpuError::illegal_access);
  if (!found) return std::nullopt;
  const bool handled = !ended_it(*f.failure, *found);
  Finding out = finding(Cause::gpu_illegal_access, handled ? Strength::strong : Strength::proven, claim_of(f));
  out.evidence_for.push_back(fact("exception", "the driver reports an illegal address in a kernel",
                                  {ref(fmt::format("/python_exceptions/{}", *found))}));
  out.evidence_for.push_back(launch_fact(f, *found));
  if (handled) out.rival = rival_error;
  if (!launches_block(f)) out.fix.push_back(block_launches);
  out.fix.push_back(
      "compute-sanitizer in front of the program names the kernel, the access and the nearest allocation.");
  // A framework's own kernels check their indexes: one written by hand or a wrong pointer is likelier, but unseen.
  out.whose = Whose::unknown;
  out.retryable = Retryable::unknown;
  return out;
}

}  // namespace

extern const Rule gpu_illegal_access{.title = "illegal access on the GPU", .check = check};

}  // namespace sigwhy::diagnose::rules
