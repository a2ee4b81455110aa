// /dev/shm is a file system in memory with a size of its own (64 MB in a container unless told otherwise). Making a
// segment reserves nothing: the first write to a page that finds no room ends in SIGBUS.
#include <fmt/format.h>

#include "diagnose/array_phrases.h"
#include "diagnose/mapped_file.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

std::optional<Finding> check(const Facts& f) {
  const auto a = file_access(f);
  if (!a || a->behind_end || !a->is_shared_memory || !a->is_nearly_full) return std::nullopt;
  const Region& r = f.snapshot.regions[a->region];
  Finding out = finding(
      Cause::shared_memory_full, a->is_full ? Strength::proven : Strength::strong,
      fmt::format("{} {} of shared memory that has no room left: {} of {} are free in /dev/shm", subject(f),
                  did(*f.memory), bytes_text(r.file_system->free_bytes), bytes_text(r.file_system->total_bytes)));
  out.evidence_for.push_back(access_fact(f));
  for (auto& fact : array_access_facts(f)) out.evidence_for.push_back(std::move(fact));
  out.evidence_for.push_back(
      fact("segment", fmt::format("the address lies inside the shared memory {}", one_line(file_name(r.path), 60)),
           {region_ref(a->region)}));
  out.evidence_for.push_back(
      fact("room",
           fmt::format("its file system has {} in all and {} free", bytes_text(r.file_system->total_bytes),
                       bytes_text(r.file_system->free_bytes)),
           {ref(fmt::format("/regions/{}/file_system", a->region))}));
  if (!a->is_full) out.rival = "another reason for the refused page: a little room was left when we asked";
  out.fix.push_back(
      "Give the container more shared memory (docker run --shm-size, an emptyDir of medium Memory), or use fewer or "
      "smaller segments (data loader workers).");
  out.fix.push_back("Remove segments that dead processes have left in /dev/shm.");
  out.whose = Whose::environment;
  out.retryable = Retryable::unknown;
  out.prediction = "with a larger /dev/shm it does not die here";
  return out;
}

}  // namespace

extern const Rule shared_memory_full{.title = "shared memory full", .check = check};

}  // namespace sigwhy::diagnose::rules
