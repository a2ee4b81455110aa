#include "capture/grab_census.h"

#include <fcntl.h>
#include <stdio.h>

#include <cstring>
#include <optional>

#include "base/owned_fd.h"
#include "capture/residency_table.h"
#include "capture/smaps.h"
#include "python/census.h"
#include "python/tensors/learned.h"
#include "python/tensors/tensor.h"
#include "target/live.h"
#include "target/resident_memory.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t maps_buffer_bytes = 16u << 10, libc_buffer_bytes = 64u << 10;

// The interpreter among the files of a process, and how its tensors are laid out.
class PythonFinder {
 public:
  explicit PythonFinder(const Memory& memory) : memory_(memory) {}

  // Each file that is mapped from its first byte on, in order.
  void file(Address base, std::string_view path) {
    if (!path.starts_with('/')) return;
    const auto name = path.substr(path.rfind('/') + 1);
    tensors.look_at(memory_, {base, name});
    const bool program = !any_;
    any_ = true;
    if (!interpreter && (program || python::may_hold_interpreter(name)))
      interpreter = python::interpreter_in(memory_, {base, name});
  }

  std::optional<python::Interpreter> interpreter;
  python::TensorLayouts tensors{python::learned_layouts()};

 private:
  const Memory& memory_;
  bool any_ = false;
};

OwnedFd open_file(pid_t pid, const char* name) {
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  return OwnedFd(::open(path, O_RDONLY | O_CLOEXEC));
}

void add_names(const CensusJob& job, const Memory& memory, const MapTable& maps, ResidencyTable& table,
               ArenaWriter& arena) {
  PythonFinder found(memory);
  for (const MapEntry& e : maps)
    if (e.offset == 0 && e.path) found.file(Address{e.start}, maps.path(e));
  if (!found.interpreter) return;
  std::size_t room = 0;
  constexpr auto most = sizeof(FileRecord) + python::most_census_bytes;
  std::byte* const record = arena.reserve(RecordType::file, most + python::least_census_scratch, room);
  if (!record) return arena.gap("what Python names hold", "there was too little room left to look", "");
  FileRecord name{};
  std::strcpy(name.name, "census");
  std::memcpy(record, &name, sizeof name);
  const python::CensusRequest request{.limits = {.seconds = job.seconds},
                                      .tensors = &found.tensors,
                                      .scratch = {record + most, room - most},
                                      .places = &table};
  const auto size = python::take_census(memory, *found.interpreter, request, {record + sizeof name, python::most_census_bytes});
  if (size) arena.commit(sizeof name + size);
}

}  // namespace

void grab_census(const CensusJob& job, const Memory& memory, const MapTable& maps, ArenaWriter& arena) {
  const OwnedFd opened = job.smaps_fd < 0 ? open_file(job.pid, "smaps") : OwnedFd();
  ResidencyTable table;
  const bool resident = table.make(opened ? opened.get() : job.smaps_fd, arena);
  add_names(job, memory, maps, table, arena);
  if (!resident) return;
  std::size_t room = 0;
  std::byte* const buffer = arena.reserve(RecordType::file, libc_buffer_bytes, room);
  if (!buffer) return;
  table.look_at_heaps(memory, maps, {buffer, libc_buffer_bytes});
  table.look_for_pools(memory);
  table.look_for_chunks(memory);
}

std::size_t census_of_living(const LivingProcess& process, std::span<std::byte> scratch, std::span<std::byte> into,
                             double seconds) {
  if (scratch.size() < maps_buffer_bytes) return 0;
  const OwnedFd bytes = open_file(process.pid, "mem"), pages = open_file(process.pid, "pagemap");
  const LiveMemory all(process.pid, bytes.get());
  const ResidentMemory there(all, pages.get());
  const GlancedMemory memory(there, process.glances);
  PythonFinder found(memory);
  {
    const OwnedFd maps = open_file(process.pid, "maps");
    const std::span<char> buffer(reinterpret_cast<char*>(scratch.data()), maps_buffer_bytes);
    read_smaps(maps.get(), buffer, [&](const SmapsEntry& e) {
      if (e.offset == 0 && e.inode) found.file(Address{e.start}, e.path);
    });
  }
  const auto& interpreter = found.interpreter ? found.interpreter : process.interpreter;
  if (!interpreter) return 0;
  const python::CensusRequest request{.limits = {.seconds = seconds}, .tensors = &found.tensors, .scratch = scratch};
  const auto size = python::take_census(memory, *interpreter, request, into);
  return process.glances.stopped() ? 0 : size;
}

}  // namespace sigwhy::capture
