#include "capture/file_holders.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "capture/numbered_files.h"

namespace sigwhy::capture {

namespace {

using Clock = std::chrono::steady_clock;

std::string command_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
  std::string text(300, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  while (text.ends_with('\0')) text.pop_back();
  std::ranges::replace(text, '\0', ' ');
  return text;
}

bool writes(pid_t pid, const char* number) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/fdinfo/" + number);
  for (std::string word; file >> word;)
    if (word == "flags:" && file >> word) return (std::strtoul(word.c_str(), nullptr, 8) & O_ACCMODE) != O_RDONLY;
  return false;
}

struct Identity {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const Identity&) const = default;
};

Identity identity_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? Identity{status.st_dev, status.st_ino} : Identity{};
}

FileHolder& holder_of(Input& input, pid_t pid) {
  const auto found = std::ranges::find(input.holders, pid, &FileHolder::pid);
  if (found != input.holders.end()) return *found;
  return input.holders.emplace_back(FileHolder{.pid = pid, .command = command_of(pid)});
}

struct Wanted {
  std::span<Input> inputs;
  std::vector<Identity> identities;

  Input* with(Identity identity) const {
    const auto found = std::ranges::find(identities, identity);
    return found == identities.end() || !identity.inode ? nullptr
                                                        : &inputs[static_cast<std::size_t>(found - identities.begin())];
  }
};

// "1: POSIX  ADVISORY  WRITE 4711 fd:01:1234 0 EOF"; those that wait for one have "->" behind the number.
void add_locks(const Wanted& wanted, pid_t dead) {
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    if (line.find("->") != std::string::npos) continue;
    std::istringstream fields(line);
    std::string number, kind, mode, access, place;
    pid_t pid = 0;
    if (!(fields >> number >> kind >> mode >> access >> pid >> place) || pid <= 0 || pid == dead) continue;
    unsigned major = 0, minor = 0;
    unsigned long long inode = 0;
    if (sscanf(place.c_str(), "%x:%x:%llu", &major, &minor, &inode) != 3) continue;
    if (Input* input = wanted.with({makedev(major, minor), static_cast<ino_t>(inode)}))
      holder_of(*input, pid).locks = true;
  }
}

void add_writers_in(const Wanted& wanted, pid_t pid) {
  const auto folder = "/proc/" + std::to_string(pid) + "/fd";
  each_number(folder, [&](int, const char* number) {
    struct stat status {};
    if (::stat((folder + "/" + number).c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return true;
    Input* input = wanted.with({status.st_dev, status.st_ino});
    if (input && writes(pid, number)) holder_of(*input, pid).writes = true;
    return true;
  });
}

}  // namespace

bool add_holders(std::span<Input> inputs, const std::string& prefix, pid_t dead, std::chrono::milliseconds limit) {
  Wanted wanted{inputs, {}};
  for (const auto& input : inputs) wanted.identities.push_back(identity_of(prefix + input.path));
  add_locks(wanted, dead);
  const auto until = Clock::now() + limit;
  bool all = true;
  each_number("/proc", [&](int pid, const char*) {
    if (pid == dead || pid == ::getpid()) return true;
    add_writers_in(wanted, pid);
    return all = Clock::now() < until;
  });
  return all;
}

}  // namespace sigwhy::capture
