// Files and folders as `check` reads them: whole small texts, and listings that are asked for again and again.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sigwhy::inventory {

// At most `most` bytes; nothing where it cannot be read.
std::optional<std::string> read_text(const std::string& path, std::uint64_t most = 4 << 20);

bool is_file(const std::string& path);
bool is_folder(const std::string& path);
bool is_program(const std::string& path);  // a file that may be executed

std::string real_path(const std::string& path);  // as it is where it cannot be resolved
std::string_view folder_of(std::string_view path);
std::string_view name_of(std::string_view path);
std::string joined(std::string_view folder, std::string_view path);  // an absolute path stays
bool is_below(std::string_view path, std::string_view folder);

// What folders hold, each read once.
class Listings {
 public:
  enum class Kind { none, file, folder };
  Kind kind(const std::string& folder, const std::string& name);
  // Names in a folder, sorted.
  std::vector<std::string> names(const std::string& folder);

 private:
  using Folder = std::unordered_map<std::string, Kind>;
  const Folder& listed(const std::string& folder);
  std::unordered_map<std::string, Folder> folders_;
};

// Lines without their ends.
std::vector<std::string_view> lines_of(std::string_view text);
std::string_view stripped(std::string_view text);

}  // namespace sigwhy::inventory
