// A limit was reached and the kernel refused: a file grew beyond RLIMIT_FSIZE (SIGXFSZ), or threads could not be made
// (the C++ library then throws, checks fail). In Python the same refusals are exceptions: OSError EMFILE for open files
// and EFBIG for large ones, MemoryError for the address space, RuntimeError for threads. Whose limit it was, the
// process's, its control group's or the machine's, the error does not tell: what was counted does.
#include <errno.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <ranges>

#include "diagnose/array_error.h"
#include "diagnose/mapping_limit.h"
#include "diagnose/memory_request.h"
#include "diagnose/phrases.h"
#include "diagnose/refused_resource.h"
#include "diagnose/refused_thread.h"
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

EvidenceRef limit_ref(const Facts& f, std::string_view name) {
  return ref(fmt::format("/process/limits/{}", *limit_index(f, name)));
}

std::optional<std::size_t> exception_with_errno(const Facts& f, int number) {
  return refused_resource(f, [&](const PyException& e) {
    return is_a(e, {"OSError", "IOError", "EnvironmentError"}) && errno_of(e) == number;
  });
}

constexpr const char* other_limits = "another limit that is answered in the same way (the user's inotify instances)";

// EMFILE is also what inotify says of a limit of its own, so that what is open is counted. That was when the error was
// printed, and the frames that it left may have closed theirs; but where the kernel's table never was as large as the
// limit, that many were never open.
enum class Room { none, plenty, not_known };

Room room_for_files(const Facts& f, std::optional<std::uint64_t> limit) {
  const auto& p = f.snapshot.process;
  if (limit && p.descriptor_count && *p.descriptor_count >= *limit) return Room::none;
  return limit && p.descriptor_count && p.descriptor_slots && *p.descriptor_slots < *limit ? Room::plenty : Room::not_known;
}

std::string open_files_text(const Facts& f, Room room, std::optional<std::uint64_t> limit) {
  if (!limit) return "as many files are open as this process may have open";
  switch (room) {
    case Room::none: return fmt::format("all {} files that this process may have open are open", count_text(*limit));
    case Room::plenty:
      return fmt::format("a limit other than that on open files may have refused it: {} of {} are open",
                         count_text(*f.snapshot.process.descriptor_count), count_text(*limit));
    default: return fmt::format("no more files could be opened: this process may have {} open", count_text(*limit));
  }
}

Strength open_files_strength(Room room, bool handled) {
  if (room == Room::plenty) return Strength::plausible;
  return room == Room::none && !handled ? Strength::proven : Strength::strong;
}

std::optional<Finding> by_open_files(const Facts& f) {
  const auto refused = exception_with_errno(f, EMFILE);
  if (!refused) return std::nullopt;
  const auto limit = soft_limit(f, "open-files");
  const auto room = room_for_files(f, limit);
  const bool handled = !ended_it(*f.failure, *refused);
  Finding out = finding(Cause::resource_limit, open_files_strength(room, handled), open_files_text(f, room, limit));
  out.evidence_for.push_back(fact("refused", "EMFILE is the kernel's answer when the process may open no more",
                                  {ref(fmt::format("/python_exceptions/{}", *refused))}));
  if (limit)
    out.evidence_for.push_back(
        fact("limit", fmt::format("the limit on open files is {}", count_text(*limit)), {limit_ref(f, "open-files")}));
  if (room != Room::not_known)
    out.evidence_for.push_back(fact("open", fmt::format("{} were open", count_text(*f.snapshot.process.descriptor_count)),
                                    {ref("/process/descriptor_count")}));
  if (room == Room::plenty)
    out.evidence_for.push_back(fact("never", fmt::format("the kernel's table of them has {} places: no more were ever open",
                                                         count_text(*f.snapshot.process.descriptor_slots)),
                                    {ref("/process/descriptor_slots")}));
  if (handled) out.rival = rival_error;
  else if (room == Room::plenty) out.rival = "a lower limit on open files that the program had set for a while";
  else if (room != Room::none) out.rival = other_limits;
  out.fix.push_back(room == Room::plenty
                        ? "Look for the limit of what was being opened (for inotify: fs.inotify.max_user_instances)."
                        : "Close files that are done with, or raise the limit (ulimit -n).");
  return out;
}

// Python ignores SIGXFSZ, so that the write itself fails. A file system has a largest file too, of terabytes.
std::optional<Finding> by_large_file(const Facts& f) {
  const auto refused = exception_with_errno(f, EFBIG);
  const auto limit = soft_limit(f, "file-size");
  if (!refused || !limit) return std::nullopt;
  Finding out = finding(Cause::resource_limit, Strength::strong,
                        fmt::format("a file would have grown beyond the limit of {}", bytes_text(*limit)));
  out.evidence_for.push_back(fact("refused", "EFBIG is the kernel's answer to a write beyond the file size limit",
                                  {ref(fmt::format("/python_exceptions/{}", *refused))}));
  out.evidence_for.push_back(
      fact("limit", fmt::format("the limit on the size of files is {}", bytes_text(*limit)), {limit_ref(f, "file-size")}));
  out.rival = ended_it(*f.failure, *refused) ? "the largest file that the file system itself can hold" : rival_error;
  out.fix.push_back("Raise the limit (ulimit -f), or write smaller files.");
  return out;
}

struct MemoryLimit {
  const char* name;
  const char* what;
  std::uint64_t used_bytes;
  const char* used_path;
  const char* raise;
};

// The request fits into the machine, and the limit is below what the machine has. What is mapped when the error is
// printed is the least that was in use: the frames between have let go of theirs.
std::optional<Finding> by_memory_limit(const Facts& f, const MemoryRequest& request, const MemoryLimit& l) {
  const auto limit = soft_limit(f, l.name);
  const auto memory = f.snapshot.host.memory_bytes;
  if (!limit || (memory && (*limit >= memory || request.bytes.value_or(0) > memory))) return std::nullopt;
  const bool told = request.bytes && !request.from_line;
  const bool proven = told && l.used_bytes + *request.bytes > *limit;
  Finding out = finding(Cause::resource_limit, proven ? Strength::proven : Strength::strong,
                        fmt::format("{} of this process is limited to {}{}", l.what, bytes_text(*limit),
                                    told ? fmt::format("; {} more were asked for", bytes_text(*request.bytes)) : ""));
  out.explains = Cause::out_of_memory_refused;
  out.evidence_for.push_back(
      fact("limit", fmt::format("the limit on {} is {}", l.what, bytes_text(*limit)), {limit_ref(f, l.name)}));
  if (l.used_bytes && proven)
    out.evidence_for.push_back(fact("use", fmt::format("{} are mapped", bytes_text(l.used_bytes)), {ref(l.used_path)}));
  if (!proven) out.rival = "the machine itself had no memory left";
  out.fix.push_back(fmt::format("Raise the limit ({}), or use less memory.", l.raise));
  return out;
}

// The line that raised it or the one that called it.
bool locks_memory(const PythonFrame& frame) { return frame.text.value_or("").find("mlock") != std::string::npos; }

// Almost every process has this limit, and memory is locked by few calls only: a line has to name one.
std::optional<Finding> by_locked_memory(const Facts& f, const MemoryRequest& request) {
  const auto& e = f.snapshot.python_exceptions[request.exception];
  const auto limit = soft_limit(f, "locked-memory");
  if (!limit || !is_a(e, {"OSError"}) || e.traceback.empty()) return std::nullopt;
  if (!std::ranges::any_of(e.traceback | std::views::take(2), locks_memory)) return std::nullopt;
  Finding out = finding(Cause::resource_limit, Strength::strong,
                        fmt::format("more memory was to be locked than the {} that this process may lock", bytes_text(*limit)));
  out.explains = Cause::out_of_memory_refused;
  out.evidence_for.push_back(fact("call", "that line locks memory; ENOMEM is the kernel's answer beyond the limit", request.evidence));
  out.evidence_for.push_back(
      fact("limit", fmt::format("the limit on locked memory is {}", bytes_text(*limit)), {limit_ref(f, "locked-memory")}));
  if (const auto locked = f.snapshot.process.locked_bytes)
    out.evidence_for.push_back(fact("use", fmt::format("{} were locked", bytes_text(*locked)), {ref("/process/locked_bytes")}));
  out.rival = "the machine itself had no memory left";
  out.fix.push_back("Raise the limit (ulimit -l; LimitMEMLOCK= of a service), or lock less.");
  return out;
}

std::optional<Finding> by_refused_memory(const Facts& f) {
  const auto request = memory_request(f);
  if (!request) return std::nullopt;
  if (auto found = by_locked_memory(f, *request)) return found;
  const MemoryLimit limits[] = {
      {"address-space", "the address space", mapped_bytes(f), "/regions", "ulimit -v; a batch system's memory request"},
      {"data-size", "the data", f.snapshot.process.data_bytes.value_or(0), "/process/data_bytes", "ulimit -d"}};
  std::optional<Finding> best;
  for (const MemoryLimit& limit : limits)
    if (auto found = by_memory_limit(f, *request, limit); found && (!best || found->strength == Strength::proven)) best = found;
  return best;
}

std::optional<Finding> by_python(const Facts& f) {
  auto out = by_open_files(f);
  if (!out) out = by_large_file(f);
  if (!out) out = refused_mapping(f);
  if (!out) out = by_refused_memory(f);
  if (!out) out = refused_thread(f);
  if (!out) return std::nullopt;
  out->prediction = "with the limit lifted it does not fail here";
  return out;
}

std::optional<Finding> by_native(const Facts& f) {
  auto out = refused_thread(f);
  if (!out) out = refused_mapping(f);
  if (!out) return std::nullopt;
  out->prediction = "with the limit lifted it does not die here";
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (auto found = by_file_size(f)) return found;
  auto out = f.failure ? by_python(f) : by_native(f);
  if (!out) return std::nullopt;
  out->whose = Whose::environment;
  out->retryable = Retryable::unknown;
  return out;
}

}  // namespace

extern const Rule resource_limit{.title = "resource limit", .check = check};

}  // namespace sigwhy::diagnose::rules
