#include "capture/attach_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <memory>
#include <span>
#include <string>

#include "capture/grab_census.h"
#include "capture/grab_guard.h"
#include "target/live.h"

namespace sigwhy::capture {

namespace {

constexpr double census_seconds = 1;  // nobody waits for us but who asked

std::string read_all(pid_t pid, const char* name) {
  const OwnedFd fd(::open(("/proc/" + std::to_string(pid) + "/" + name).c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char part[16384];
  for (ssize_t got; fd && (got = ::read(fd.get(), part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(got));
  return text;
}

}  // namespace

void add_memory(pid_t pid, const LivingArena& looked) {
  struct stat status {};
  if (::fstat(looked.arena.get(), &status) != 0 || status.st_size <= 0) return;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, looked.arena.get(), 0);
  if (at == MAP_FAILED) return;
  auto arena = ArenaWriter::behind_what_is_in({static_cast<std::byte*>(at), size});
  const auto text = read_all(pid, "maps");
  const auto maps = std::make_unique<MapTable>();
  maps->parse(text);
  const LiveMemory memory(pid);
  copy_guard(memory, *maps, {.sites = true}, arena);
  grab_census({.pid = pid, .seconds = census_seconds}, memory, *maps, arena);
  ::munmap(at, size);
}

}  // namespace sigwhy::capture
