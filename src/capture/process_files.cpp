#include "capture/process_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "capture/read_again.h"

namespace sigwhy::capture {

namespace {

OwnedFd link_itself(const std::string& path) {
  return to_keep(OwnedFd(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)));
}

// Of these two only the beginning is read: to look at all pages takes long in a large process.
OwnedFd open_page_table(const std::string& path) {
  OwnedFd fd = to_keep(OwnedFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)));
  char entry[8];
  if (fd && ::read(fd.get(), entry, sizeof entry) < 0) return {};
  return fd;
}

bool same_place(const std::string& path, const char* own) {
  struct stat theirs {}, ours {};
  return ::stat(path.c_str(), &theirs) == 0 && ::stat(own, &ours) == 0 && theirs.st_ino == ours.st_ino &&
         theirs.st_dev == ours.st_dev;
}

// Fields 48 to 51 of /proc/PID/stat; the second, the name, may hold anything up to the last ')'.
void read_places(std::string_view stat, ProcessFiles& files) {
  const auto name_end = stat.rfind(')');
  if (name_end == stat.npos) return;
  const char* at = stat.data() + name_end + 1;
  unsigned long long field[52] = {};
  const char* const end = stat.data() + stat.size();
  for (int number = 3; number < 52 && at < end; ++number) {
    while (at < end && *at == ' ') ++at;
    for (; at < end && *at != ' '; ++at)
      if (*at >= '0' && *at <= '9') field[number] = field[number] * 10 + static_cast<unsigned long long>(*at - '0');
  }
  files.arguments = field[48];
  files.arguments_end = field[49];
  files.environment = field[50];
  files.environment_end = field[51];
}

}  // namespace

bool ProcessFiles::has_arguments() const {
  char first = 0;
  return memory && arguments && ::pread(memory.get(), &first, 1, static_cast<off_t>(arguments)) == 1 && first;
}

ProcessFiles ProcessFiles::of(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/";
  ProcessFiles files;
  files.status = open_again(folder + "status");
  files.limits = open_again(folder + "limits");
  files.auxv = open_again(folder + "auxv");
  files.group = open_again(folder + "cgroup");
  files.executable = link_itself(folder + "exe");
  files.directory = link_itself(folder + "cwd");
  files.input = link_itself(folder + "fd/0");
  read_places(read_again(open_again(folder + "stat").get()), files);
  const auto name = read_again(open_again(folder + "comm").get());
  memcpy(files.command, name.data(), std::min(name.find_last_not_of('\n') + 1, sizeof files.command - 1));
  files.same_root = same_place(folder + "root", "/") && same_place(folder + "ns/mnt", "/proc/self/ns/mnt");
  files.smaps = open_page_table(folder + "smaps");
  files.pagemap = open_page_table(folder + "pagemap");
  files.memory = to_keep(OwnedFd(::open((folder + "mem").c_str(), O_RDONLY | O_CLOEXEC)));
  files.maps = open_again(folder + "maps");
  return files;
}

}  // namespace sigwhy::capture
