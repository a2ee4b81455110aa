// Room for files: the folder it runs in and the one for temporary files. A program that cannot write its checkpoint or
// its cache dies of it late, mostly at the end of the first epoch.
#include <fmt/format.h>
#include <sys/statvfs.h>

#include <set>

#include "inventory/check.h"

namespace sigwhy::inventory::checks {

namespace {

constexpr std::uint64_t little_bytes = 64 << 20;

void look_at(const std::string& folder, const char* what, std::vector<Concern>& concerns) {
  struct statvfs status {};
  if (::statvfs(folder.c_str(), &status) != 0 || status.f_blocks == 0) return;
  const std::uint64_t free_bytes = status.f_bavail * status.f_frsize;
  const bool no_nodes = status.f_files > 0 && status.f_favail < 16;
  if (free_bytes >= little_bytes && !no_nodes) return;
  concerns.push_back({.cause = Cause::disk_full,
                      .severity = Severity::may_end,
                      .claim = free_bytes < little_bytes ? fmt::format("{} has {} MiB left for files", what, free_bytes >> 20)
                                                         : fmt::format("{} can take {} more files", what, status.f_favail),
                      .because = {fmt::format("the file system of {} has {} MiB in all", folder, status.f_blocks * status.f_frsize >> 20)},
                      .fix = {"free some, or write elsewhere"}});
}

void look(const Prospect& p, std::vector<Concern>& concerns) {
  look_at(p.around.directory, "the working folder", concerns);
  const auto set = p.around.variable("TMPDIR");
  const std::string temporary = set.empty() ? "/tmp" : set;
  struct statvfs here {}, there {};
  const bool same = ::statvfs(p.around.directory.c_str(), &here) == 0 && ::statvfs(temporary.c_str(), &there) == 0 && here.f_fsid == there.f_fsid;
  if (!same) look_at(temporary, "the folder for temporary files", concerns);
}

}  // namespace

extern const Check disk;
const Check disk = {.order = 8, .look = look};

}  // namespace sigwhy::inventory::checks
