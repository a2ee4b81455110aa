// A mapped file with holes takes its room on the disk only when a page is first written. No room: SIGBUS, though
// the file is long enough.
#include <fmt/format.h>

#include "diagnose/array_phrases.h"
#include "diagnose/mapped_file.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

std::optional<Finding> check(const Facts& f) {
  const auto a = file_access(f);
  if (!a || a->behind_end || a->is_shared_memory || !a->is_nearly_full || !f.snapshot.regions[a->region].file_bytes)
    return std::nullopt;
  const Region& r = f.snapshot.regions[a->region];
  const auto name = one_line(file_name(r.path), 60);
  Finding out =
      finding(Cause::disk_full, a->is_full ? Strength::proven : Strength::strong,
              fmt::format("{} {} of {} at offset {}, and its file system has {} free", subject(f), did(*f.memory), name,
                          count_text(a->offset), bytes_text(r.file_system->free_bytes)));
  out.evidence_for.push_back(access_fact(f));
  for (auto& fact : array_access_facts(f)) out.evidence_for.push_back(std::move(fact));
  out.evidence_for.push_back(fact(
      "file",
      fmt::format("{} is long enough ({} bytes): the page itself could not be made", name, count_text(a->file_bytes)),
      {ref(fmt::format("/regions/{}/file_bytes", a->region))}));
  out.evidence_for.push_back(
      fact("room",
           fmt::format("its file system ({}) has {} in all and {} free", r.file_system->type,
                       bytes_text(r.file_system->total_bytes), bytes_text(r.file_system->free_bytes)),
           {ref(fmt::format("/regions/{}/file_system", a->region))}));
  if (!a->is_full) out.rival = "an error of the disk itself: a little room was left when we asked";
  out.fix.push_back(fmt::format("Make room on the file system that holds {}, or put the file elsewhere.", name));
  out.fix.push_back(
      "Reserve the whole file when it is made (posix_fallocate): then a full disk is an error, not a death.");
  out.whose = Whose::environment;
  out.retryable = Retryable::unknown;
  out.prediction = "with room on that file system it does not die here";
  return out;
}

}  // namespace

extern const Rule disk_full{.title = "disk full", .check = check};

}  // namespace sigwhy::diagnose::rules
