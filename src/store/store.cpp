#include "store/store.h"

#include <dirent.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <memory>

#include "evidence/json.h"
#include "store/folder.h"

namespace sigwhy::store {

namespace {

// A case stays under 1 MiB; a file far above that is none, whatever its name says.
constexpr std::uint64_t most_case_bytes = 16 << 20;
constexpr std::uint64_t most_memory_bytes = 256 << 20;
constexpr std::size_t id_digits = 8;
constexpr std::array kinds = {".json", ".mem.zst", ".recipe"};

bool is_hex(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == std::string_view::npos; }
bool is_id(std::string_view text) { return text.size() == id_digits && is_hex(text); }

struct Stored {
  std::string id;
  timespec time{};

  bool newer_than(const Stored& other) const {
    if (time.tv_sec != other.time.tv_sec) return time.tv_sec > other.time.tv_sec;
    if (time.tv_nsec != other.time.tv_nsec) return time.tv_nsec > other.time.tv_nsec;
    return id < other.id;
  }
};

// A folder that does not exist yet holds no cases.
Result<std::vector<Stored>> stored_in(const std::string& folder) {
  std::vector<Stored> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(folder.c_str()), ::closedir);
  if (!directory) {
    if (errno == ENOENT) return found;
    return std::unexpected(errno_error("cannot read the folder " + folder, errno));
  }
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (!name.ends_with(".json") || !is_id(name.substr(0, name.size() - 5))) continue;
    struct stat status {};
    if (::fstatat(::dirfd(directory.get()), entry->d_name, &status, 0) != 0) continue;
    found.push_back({std::string(name.substr(0, id_digits)), status.st_mtim});
  }
  std::ranges::sort(found, [](const Stored& a, const Stored& b) { return a.newer_than(b); });
  return found;
}

}  // namespace

std::string Store::file(std::string_view id, std::string_view kind) const {
  return folder_ + "/" + std::string(id) + std::string(kind);
}

std::string Store::new_id() const {
  for (;;) {
    std::uint32_t random = 0;
    if (::getrandom(&random, sizeof random, 0) != sizeof random)
      random = static_cast<std::uint32_t>(std::time(nullptr));
    std::string id(id_digits, '0');
    for (std::size_t i = 0; i < id_digits; ++i) id[i] = "0123456789abcdef"[random >> (28 - 4 * i) & 15];
    if (::access(file(id, ".json").c_str(), F_OK) != 0) return id;
  }
}

Result<void> Store::save(const Case& c) const {
  if (!is_id(c.id)) return failure("cannot keep the case", "\"" + c.id + "\" is no case id");
  if (auto made = make_folder(folder_); !made) return made;
  if (auto written = write_whole(file(c.id, ".json"), to_json(c), c.made_unix_ms); !written) return written;
  return prune();
}

Result<void> Store::save_memory(std::string_view id, std::string_view bytes) const {
  if (auto made = make_folder(folder_); !made) return made;
  return write_whole(file(id, ".mem.zst"), bytes);
}

Result<void> Store::save_recipe(std::string_view id, std::string_view bytes) const {
  if (auto made = make_folder(folder_); !made) return made;
  return write_whole(file(id, ".recipe"), bytes);
}

Result<std::string> Store::load_memory(std::string_view id) const {
  return read_whole(file(id, ".mem.zst"), most_memory_bytes);
}

Result<std::string> Store::load_recipe(std::string_view id) const {
  return read_whole(file(id, ".recipe"), most_case_bytes);
}

Result<Case> Store::load(std::string_view given) const {
  const std::string name(given);
  std::string wanted = name;
  for (char& c : wanted) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (wanted.empty() || wanted.size() > id_digits || !is_hex(wanted))
    return failure("\"" + name + "\" is no case id", "an id is up to eight hex digits", "sigwhy list shows them");
  const auto stored = ids();
  if (!stored) return std::unexpected(stored.error());
  std::vector<std::string> matching;
  for (const auto& id : *stored)
    if (id.starts_with(wanted)) matching.push_back(id);
  if (matching.empty()) return failure("no case is called " + name, "none in " + folder_, "sigwhy list shows them");
  if (matching.size() > 1)
    return failure("several cases begin with " + name, matching[0] + " and " + matching[1], "give more of the id");
  const auto path = file(matching[0], ".json");
  auto bytes = read_whole(path, most_case_bytes);
  if (!bytes) return std::unexpected(bytes.error());
  auto loaded = case_from_json(*bytes);
  if (!loaded) return failure("cannot read " + path, loaded.error().what + ": " + loaded.error().cause);
  return loaded;
}

Result<Case> Store::newest() const {
  const auto stored = ids();
  if (!stored) return std::unexpected(stored.error());
  if (stored->empty())
    return failure("there is no case yet", "none in " + folder_, "sigwhy run -- COMMAND makes one when it dies");
  for (const auto& id : *stored)
    if (auto loaded = load(id)) return loaded;
  return load(stored->front());
}

Result<std::vector<std::string>> Store::ids() const {
  const auto stored = stored_in(folder_);
  if (!stored) return std::unexpected(stored.error());
  std::vector<std::string> ids;
  for (const auto& s : *stored) ids.push_back(s.id);
  return ids;
}

Result<std::size_t> Store::each(const std::function<void(const Case&)>& visit) const {
  const auto stored = ids();
  if (!stored) return std::unexpected(stored.error());
  std::size_t broken = 0;
  for (const auto& id : *stored) {
    const auto loaded = load(id);
    if (loaded) visit(*loaded);
    else ++broken;
  }
  return broken;
}

Result<void> Store::prune(std::size_t keep) const {
  const auto stored = ids();
  if (!stored) return std::unexpected(stored.error());
  for (const auto& id : to_drop(*stored, keep))
    for (const char* kind : kinds) ::unlink(file(id, kind).c_str());
  return {};
}

std::vector<std::string> Store::to_drop(std::vector<std::string> newest_first, std::size_t keep) const {
  if (newest_first.size() <= keep) return {};
  const auto excess = static_cast<std::ptrdiff_t>(newest_first.size() - keep);
  const auto safe = static_cast<std::ptrdiff_t>(std::min(keep, cases_kept_first));
  std::stable_partition(newest_first.begin() + safe, newest_first.end(), [&](const std::string& id) {
    return ::access(file(id, ".mem.zst").c_str(), F_OK) == 0;
  });
  return {newest_first.end() - excess, newest_first.end()};
}

}  // namespace sigwhy::store
