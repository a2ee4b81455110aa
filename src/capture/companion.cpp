#include "capture/companion.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sigwhy::capture {

namespace {

std::string own_folder() {
  char path[PATH_MAX];
  const auto size = ::readlink("/proc/self/exe", path, sizeof path);
  if (size <= 0) return {};
  const std::string whole(path, static_cast<std::size_t>(size));
  return whole.substr(0, whole.rfind('/'));
}

bool runnable(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

// The program's LD_PRELOAD and LD_LIBRARY_PATH are meant for the program, not for us.
std::vector<char*> environment_without_loader_settings() {
  std::vector<char*> kept;
  for (char** e = environ; *e; ++e)
    if (strncmp(*e, "LD_", 3) != 0) kept.push_back(*e);
  kept.push_back(nullptr);
  return kept;
}

}  // namespace

std::vector<std::string> companion_command() {
  const std::string folder = own_folder();
  const std::string bundled = folder + "/../lib/sigwhy";
  const std::string loader = bundled + "/ld-linux-x86-64.so.2";
  const std::string program = bundled + "/sigwhy-develop";
  if (runnable(loader) && ::access(program.c_str(), R_OK) == 0)
    return {loader, "--inhibit-cache", "--library-path", bundled, program};
  if (runnable(program)) return {program};
  if (runnable(folder + "/sigwhy-develop")) return {folder + "/sigwhy-develop"};
  return {};
}

std::string beside_companion(const char* name) {
  const auto command = companion_command();
  if (command.empty()) return {};
  const auto& program = command.back();
  const auto path = program.substr(0, program.rfind('/') + 1) + name;
  char whole[PATH_MAX];
  return ::access(path.c_str(), R_OK) == 0 && realpath(path.c_str(), whole) ? whole : std::string();
}

Developer start_developer(const std::vector<std::string>& command, const std::vector<std::string>& arguments,
                          int arena_fd, int root_fd) {
  int gate[2];
  if (command.empty() || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gate) != 0) return {};
  OwnedFd ours(fcntl(gate[0], F_DUPFD_CLOEXEC, 10)), theirs(fcntl(gate[1], F_DUPFD_CLOEXEC, 10));
  ::close(gate[0]);
  ::close(gate[1]);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, arena_fd, developer_arena_fd);
  if (root_fd >= 0) posix_spawn_file_actions_adddup2(&actions, root_fd, developer_root_fd);
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), developer_gate_fd);

  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(const_cast<char*>("develop"));
  for (const auto& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);

  Developer developer;
  auto environment = environment_without_loader_settings();
  developer.error = posix_spawn(&developer.pid, words[0], &actions, nullptr, words.data(), environment.data());
  if (developer.error) developer.pid = 0;
  posix_spawn_file_actions_destroy(&actions);
  if (developer.pid) developer.gate = std::move(ours);
  return developer;
}

}  // namespace sigwhy::capture
