#include "cli/lost_runs.h"

#include <dirent.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "capture/develop_record.h"
#include "capture/record_file.h"
#include "diagnose/diagnose.h"
#include "evidence/redact.h"

namespace sigwhy::cli {

namespace {

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(folder.c_str()), ::closedir);
  while (const dirent* entry = directory ? ::readdir(directory.get()) : nullptr)
    if (std::string_view(entry->d_name).ends_with(capture::record_suffix)) names.emplace_back(entry->d_name);
  return names;
}

Case case_of(const capture::LeftRecord& left, const std::string& id) {
  Case c{.id = id, .sigwhy_version = SIGWHY_VERSION};
  c.snapshot = capture::develop_record(left);
  c.made_unix_ms = c.snapshot.process.started_unix_s * 1000 + static_cast<std::int64_t>(c.snapshot.termination.after_seconds * 1000);
  c.diagnosis = diagnose::diagnose(c.snapshot);
  return redact(std::move(c), {});
}

}  // namespace

void adopt_lost_runs(const store::Store& store) {
  for (const auto& name : names_in(store.folder())) {
    const auto path = store.folder() + "/" + name;
    const auto left = capture::left_record(path);
    if (left && store.save(case_of(*left, name.substr(0, name.rfind('.'))))) ::unlink(path.c_str());
  }
}

}  // namespace sigwhy::cli
