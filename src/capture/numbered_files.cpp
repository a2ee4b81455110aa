#include "capture/numbered_files.h"

#include <dirent.h>

#include <charconv>
#include <memory>
#include <string_view>

namespace sigwhy::capture {

void each_number(const std::string& folder, const std::function<bool(int, const char*)>& use) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  if (!entries) return;
  while (const dirent* entry = ::readdir(entries.get())) {
    int number = 0;
    const std::string_view name = entry->d_name;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ptr != name.data() + name.size()) continue;
    if (!use(number, entry->d_name)) return;
  }
}

}  // namespace sigwhy::capture
