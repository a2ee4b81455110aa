#include "cli/process_id.h"

#include <charconv>
#include <filesystem>
#include <string_view>

namespace sigwhy::cli {

Result<pid_t> process_id(const std::string& word) {
  pid_t value = 0;
  const auto end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, value);
  if (read.ptr != end || read.ec != std::errc{} || value <= 0) return failure("\"" + word + "\" is no process id");
  return value;
}

std::string program_of(pid_t pid) {
  constexpr std::string_view replaced = " (deleted)";  // by an update, say, while it runs
  std::error_code ignored;
  std::string name = std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", ignored).filename();
  if (name.ends_with(replaced)) name.resize(name.size() - replaced.size());
  return name;
}

}  // namespace sigwhy::cli
