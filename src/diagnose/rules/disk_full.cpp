// A mapped file with holes takes its room on the disk only when a page is first written. No room: SIGBUS, though
// the file is long enough. A plain write is refused with ENOSPC, or EDQUOT for a quota: in Python an OSError, often
// hidden behind the error of the close that follows it.
#include <errno.h>
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/array_error.h"
#include "diagnose/array_phrases.h"
#include "diagnose/input_file.h"
#include "diagnose/mapped_file.h"
#include "diagnose/phrases.h"
#include "diagnose/refused_resource.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

std::optional<Finding> by_page(const Facts& f) {
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

bool is_refused_write(const PyException& e) {
  const auto number = errno_of(e);
  if (number == ENOSPC || number == EDQUOT) return is_a(e, {"OSError", "IOError"});
  return is_a(e, {"OSError", "IOError", "RuntimeError", "OpError"}) &&
         (e.message.find("No space left on device") != std::string::npos ||
          e.message.find("Disk quota exceeded") != std::string::npos);
}

// ENOSPC is also what inotify says when it has no watch left, and /dev/shm when it is full.
bool is_other_space(const PyException& e, const std::string& file) {
  if (file.starts_with("/dev/shm/")) return true;
  for (const auto& frame : e.traceback)
    for (const char* part : {"inotify", "multiprocessing/synchronize.py", "multiprocessing/shared_memory.py"})
      if (frame.file.find(part) != std::string::npos) return true;
  return false;
}

std::optional<Finding> by_python(const Facts& f) {
  if (raised_by_user(f)) return std::nullopt;
  const auto found = refused_resource(f, [](const PyException& e) { return is_refused_write(e); });
  if (!found) return std::nullopt;
  const auto index = *found;
  const auto* e = &f.snapshot.python_exceptions[index];
  const auto file = file_of(f, index);
  if (is_other_space(*e, file ? file->path : "")) return std::nullopt;
  const bool quota = errno_of(*e) == EDQUOT || e->message.find("quota") != std::string::npos;
  const std::string where = file ? one_line(file->path, 80) : std::string("a file");
  const bool handled = !ended_it(*f.failure, index);
  Finding out = finding(Cause::disk_full, file && !handled ? Strength::proven : Strength::strong,
                        quota ? fmt::format("the quota is used up: {} could not be written", where)
                              : fmt::format("the file system is full: {} could not be written", where));
  out.evidence_for.push_back(fact("refused",
                                  fmt::format("{} is the kernel's answer to the write", quota ? "EDQUOT" : "ENOSPC"),
                                  {ref(fmt::format("/python_exceptions/{}", index))}));
  if (handled) out.rival = rival_error;
  else if (!file) out.rival = "another space that is full: the file system's inodes, or shared memory";
  out.fix.push_back("Make room on that file system (df -h, df -i), or write elsewhere.");
  out.whose = Whose::environment;
  out.retryable = Retryable::unknown;
  return out;
}

std::optional<Finding> check(const Facts& f) { return f.failure ? by_python(f) : by_page(f); }

}  // namespace

extern const Rule disk_full{.title = "disk full", .check = check};

}  // namespace sigwhy::diagnose::rules
