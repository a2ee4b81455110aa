#include "capture/grab.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/owned_fd.h"
#include "capture/clock.h"
#include "capture/fault_file.h"
#include "capture/forked_memory.h"
#include "capture/grab_census.h"
#include "capture/grab_descriptors.h"
#include "capture/grab_guard.h"
#include "capture/grab_loader.h"
#include "capture/grab_maps.h"
#include "capture/grab_memory.h"
#include "capture/grab_python.h"
#include "capture/grab_suspects.h"
#include "capture/keepsake.h"
#include "capture/tee.h"
#include "target/live.h"
#include "target/resident_memory.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t dying_stack_bytes = 512u << 10;
constexpr std::size_t outer_stack_bytes = 32u << 10;
constexpr std::size_t other_stack_bytes = 64u << 10;
constexpr std::size_t least_stack_bytes = 4096, least_living_stack_bytes = 2048;
constexpr std::size_t red_zone_bytes = 256;  // below rsp: the red zone and what a return just left
constexpr std::size_t around_register_bytes = 512, around_fault_bytes = 4096;
constexpr std::size_t most_file_bytes = 128u << 10, most_words_bytes = 32u << 10;
constexpr double most_seconds = 1.5;
constexpr int most_tries = 3;
constexpr std::uint32_t rehearsed_objects = 1500;
constexpr double rehearsal_seconds = 0.004;

// One table for the whole supervisor: it is large, and only one grab runs at a time.
MapTable maps;
Keepsake keepsake;

// Reads a whole file straight into the arena; returns it as text.
std::string_view copy_file(ArenaWriter& arena, const char* name, int fd, std::size_t most) {
  std::size_t room = 0;
  std::byte* into = arena.reserve(RecordType::file, sizeof(FileRecord) + 4096, room);
  if (!into) return {};
  FileRecord record{};
  std::strncpy(record.name, name, sizeof record.name - 1);
  std::memcpy(into, &record, sizeof record);
  const std::size_t limit = std::min(room - sizeof record, most);
  char* text = reinterpret_cast<char*>(into + sizeof record);
  std::size_t size = 0;
  while (size < limit) {
    const auto got = ::read(fd, text + size, limit - size);
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size) arena.commit(sizeof record + size);
  if (size == limit) arena.gap(name, "it was larger than the room kept for it", "");
  return {text, size};
}

std::string_view copy_again(ArenaWriter& arena, const char* name, const OwnedFd& fd, std::size_t most) {
  return ::lseek(fd.get(), 0, SEEK_SET) == 0 ? copy_file(arena, name, fd.get(), most) : std::string_view{};
}

std::string_view copy_proc_file(ArenaWriter& arena, pid_t pid, const char* file, const char* name,
                                std::size_t most = most_file_bytes) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  return fd ? copy_file(arena, name, fd.get(), most) : std::string_view{};
}

void copy_link(ArenaWriter& arena, pid_t pid, const char* name) {
  char path[64], target[4096];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  const auto size = ::readlink(path, target, sizeof target);
  if (size > 0) arena.file(name, target, static_cast<std::size_t>(size));
}

// Where it was a process that sent the signal, the kernel was not short of memory, and opening is no harm.
void copy_sender(ArenaWriter& arena, const siginfo_t* info) {
  if (!info || info->si_code > 0 || info->si_pid <= 0) return;
  copy_proc_file(arena, info->si_pid, "comm", "sender_comm", 64);
}

void record_process(const GrabRequest& r, ArenaWriter& arena) {
  const ProcessRecord process{.pid = r.pid,
                              .handled_first = r.handled_first,
                              .living = r.lives_on,
                              .started_unix_s = r.started_unix_s,
                              .after_seconds = r.after_seconds};
  arena.append(RecordType::process, &process, sizeof process);
  if (r.info) arena.append(RecordType::signal, r.info, sizeof *r.info);
}

void read_thread_name(pid_t pid, pid_t tid, ThreadRecord& record) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/comm", pid, tid);
  const OwnedFd name(::open(path, O_RDONLY | O_CLOEXEC));
  const auto size = name ? ::read(name.get(), record.name, sizeof record.name - 1) : 0;
  if (size > 0 && record.name[size - 1] == '\n') record.name[size - 1] = '\0';
}

bool record_thread(ArenaWriter& arena, const GrabRequest& r, pid_t tid, bool died, user_regs_struct& registers) {
  ThreadRecord record{.tid = tid, .died = died};
  if (r.may_open) read_thread_name(r.pid, tid, record);
  else if (r.files && tid == r.pid) std::memcpy(record.name, r.files->command, sizeof record.name);
  record.has_registers = ptrace(PTRACE_GETREGS, tid, nullptr, &record.registers) == 0;
  registers = record.registers;
  arena.append(RecordType::thread, &record, sizeof record);
  return record.has_registers;
}

void copy_registers_surroundings(Copier& copier, const Suspects& suspects) {
  for (const auto value : suspects.registers()) copier.around(Address{value}, around_register_bytes, around_register_bytes);
}

// The stack from just below rsp upwards. Where rsp has left its mapping (an overflow), from the mapping above.
Copied copy_stack(Copier& copier, std::uint64_t rsp, std::size_t bytes) {
  const MapEntry* map = copier.maps().at(Address{rsp});
  if (!map || !map->readable) {
    map = std::upper_bound(copier.maps().begin(), copier.maps().end(), rsp,
                           [](std::uint64_t value, const MapEntry& e) { return value < e.start; });
    if (map == copier.maps().end() || !map->writable) return {};
    rsp = map->start;
  }
  const auto low = rsp - std::min<std::uint64_t>(red_zone_bytes, rsp - map->start);
  const auto copied = copier.copy(Address{low}, bytes);
  if (map->end - low > bytes + outer_stack_bytes)
    copier.copy(Address{map->end - outer_stack_bytes}, outer_stack_bytes);
  return copied.bytes.empty() ? copied : copied.from(Address{rsp});
}

void copy_dying_thread(Copier& copier, const user_regs_struct& registers, const Suspects& suspects) {
  copier.around(Address{registers.rip}, 128, 128);
  const auto stack = copy_stack(copier, registers.rsp, dying_stack_bytes);
  if (suspects.fault()) copier.around(Address{suspects.fault()}, around_fault_bytes, around_fault_bytes);
  copy_registers_surroundings(copier, suspects);
  copy_runtime_data(copier);
  copy_exceptions(copier, stack);
  follow_stack_words(copier, stack);
}

void copy_other_threads(const GrabRequest& r, Copier& copier, ArenaWriter& arena, double deadline) {
  std::size_t unread = 0;
  const std::size_t share = arena.left() / std::max<std::size_t>(r.others.size(), 1);
  const std::size_t stack_bytes = std::min(other_stack_bytes, share - std::min(share, std::size_t{1024}));
  for (const pid_t tid : r.others) {
    user_regs_struct registers{};
    if (arena.left() < sizeof(ThreadRecord) + 64 || monotonic_s() > deadline) {
      ++unread;
      continue;
    }
    if (record_thread(arena, r, tid, false, registers) && stack_bytes >= least_stack_bytes)
      copy_stack(copier, registers.rsp, stack_bytes);
  }
  char why[96];
  snprintf(why, sizeof why, "%zu of %zu did not stop in time or did not fit", unread + r.running,
           r.others.size() + r.running);
  if (unread + r.running) arena.gap("some of the other threads", why, "");
}

// The process's own memory holds its words; its file of /proc is made from them.
void copy_words(ArenaWriter& arena, const LiveMemory& memory, const char* name, std::uint64_t from, std::uint64_t to) {
  std::size_t room = 0;
  std::byte* into = to > from ? arena.reserve(RecordType::file, sizeof(FileRecord) + 4096, room) : nullptr;
  if (!into) return;
  FileRecord record{};
  std::strncpy(record.name, name, sizeof record.name - 1);
  std::memcpy(into, &record, sizeof record);
  const auto size = std::min<std::uint64_t>({to - from, most_words_bytes, room - sizeof record});
  const auto got = memory.read(Address{from}, {into + sizeof record, size});
  if (got) arena.commit(sizeof record + got);
}

void copy_link_itself(ArenaWriter& arena, const char* name, const OwnedFd& link) {
  char target[4096];
  const auto size = link ? ::readlinkat(link.get(), "", target, sizeof target) : 0;
  if (size > 0) arena.file(name, target, static_cast<std::size_t>(size));
}

void copy_open_files(const GrabRequest& r, ArenaWriter& arena) {
  if (!r.files || !*r.files) {
    arena.gap("most of what /proc says about it", "it was killed before its files could be opened in advance", "");
    return;
  }
  copy_again(arena, "status", r.files->status, most_file_bytes);
  copy_again(arena, "limits", r.files->limits, most_file_bytes);
  copy_again(arena, "auxv", r.files->auxv, most_file_bytes);
  const LiveMemory memory(r.pid, r.files->memory.get());
  copy_words(arena, memory, "cmdline", r.files->arguments, r.files->arguments_end);
  copy_words(arena, memory, "environ", r.files->environment, r.files->environment_end);
  copy_link_itself(arena, "exe", r.files->executable);
  copy_link_itself(arena, "cwd", r.files->directory);
  copy_link_itself(arena, "fd/0", r.files->input);
  copy_tee_tail(arena);
  copy_sender(arena, r.info);
}

void copy_files(const GrabRequest& r, ArenaWriter& arena) {
  if (!r.may_open) return copy_open_files(r, arena);
  copy_proc_file(arena, r.pid, "status", "status");
  copy_proc_file(arena, r.pid, "limits", "limits");
  copy_proc_file(arena, r.pid, "cmdline", "cmdline", most_words_bytes);
  copy_proc_file(arena, r.pid, "environ", "environ", most_words_bytes);
  copy_proc_file(arena, r.pid, "auxv", "auxv");
  copy_link(arena, r.pid, "exe");
  copy_link(arena, r.pid, "cwd");
  copy_link(arena, r.pid, "fd/0");
  add_last_words(r.pid, r.stderr_start, arena);
  copy_tee_tail(arena);
  copy_sender(arena, r.info);
}

python::Wanted python_wanted(const GrabRequest& r, const user_regs_struct& registers) {
  return {.native_thread_id = static_cast<std::uint64_t>(r.dying),
          .thread_id = registers.fs_base,
          .at_exception = r.stopped_at != nullptr};
}

void copy_maps(const GrabRequest& r, ArenaWriter& arena, std::span<const std::uint64_t> that_matter = {}) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/maps", r.pid);
  const OwnedFd opened(r.may_open ? ::open(path, O_RDONLY | O_CLOEXEC) : -1);
  const int fd = opened ? opened.get() : r.files && !r.may_open ? r.files->maps.get() : -1;
  maps.parse(fd >= 0 && ::lseek(fd, 0, SEEK_SET) == 0 ? copy_maps_file(fd, r.may_open, that_matter, arena) : std::string_view{});
  if (!maps.whole()) arena.gap("some of the mappings", "there were more than twelve thousand", "");
}

ThreadRecord living_record(const GrabRequest& r, const LivingThread& thread) {
  ThreadRecord record{.tid = thread.look.tid, .partial = !thread.stopped, .doing = doing_code(thread.look)};
  read_thread_name(r.pid, record.tid, record);
  record.has_registers = !thread.stopped || ptrace(PTRACE_GETREGS, record.tid, nullptr, &record.registers) == 0;
  if (thread.stopped) return record;
  record.registers.fs_base = thread_pointer(r.pid, record.tid);
  if (thread.look.doing != Doing::sleeps) return record;
  record.registers.rip = thread.look.rip;
  record.registers.rsp = thread.look.rsp;
  return record;
}

// False: where it is could not be told.
bool copy_still_thread(const GrabRequest& r, const LivingThread& thread, Copier& copier, ArenaWriter& arena,
                       std::size_t stack_bytes) {
  const ThreadRecord record = living_record(r, thread);
  arena.append(RecordType::thread, &record, sizeof record);
  if (record.registers.rsp) copy_stack(copier, record.registers.rsp, stack_bytes);
  return record.registers.rsp != 0;
}

// A sleeping thread may wake up while it is read: then the copy is thrown away and made again.
bool copy_sleeping_thread(const GrabRequest& r, const LivingThread& thread, Copier& copier, ArenaWriter& arena,
                          std::size_t stack_bytes) {
  const auto used = arena.used(), mark = copier.mark();
  LivingThread now = thread;
  for (int tries = 0; tries < most_tries; ++tries) {
    now.look = look_at(r.pid, thread.look.tid);
    if (copy_still_thread(r, now, copier, arena, stack_bytes) && now.look.same_sleep(look_at(r.pid, now.look.tid)))
      return true;
    arena.rewind(used);
    copier.rewind(mark);
  }
  now.look = {.tid = thread.look.tid, .inner_tid = thread.look.inner_tid};
  return copy_still_thread(r, now, copier, arena, 0);
}

// "4711 17" a line where the process lives in a container and has other ids there.
void record_inner_ids(const GrabRequest& r, ArenaWriter& arena) {
  std::size_t room = 0;
  std::byte* into = arena.reserve(RecordType::file, sizeof(FileRecord) + 4096, room);
  if (!into) return;
  const FileRecord record{"inner_tids"};
  std::memcpy(into, &record, sizeof record);
  char* text = reinterpret_cast<char*>(into + sizeof record);
  std::size_t size = 0;
  for (const LivingThread& t : r.living) {
    if (t.look.inner_tid == t.look.tid || room - sizeof record - size < 32) continue;
    size += static_cast<std::size_t>(snprintf(text + size, 32, "%d %d\n", t.look.tid, t.look.inner_tid));
  }
  if (size) arena.commit(sizeof record + size);
}

void copy_living_threads(const GrabRequest& r, Copier& copier, ArenaWriter& arena) {
  std::size_t unread = 0, left = r.living.size();
  for (const LivingThread& thread : r.living) {
    const bool main = thread.look.tid == r.pid;
    const std::size_t share = arena.left() / (main ? 8 : left);
    const std::size_t stack_bytes =
        std::min(main ? dying_stack_bytes : other_stack_bytes, share - std::min(share, sizeof(ThreadRecord) + 128));
    const bool late = monotonic_s() > r.until_s && !main;
    --left;
    const bool still = thread.stopped || thread.asked;
    if (late || stack_bytes < least_living_stack_bytes) ++unread;
    else if (!(still ? copy_still_thread : copy_sleeping_thread)(r, thread, copier, arena, stack_bytes)) ++unread;
  }
  char why[96];
  snprintf(why, sizeof why, "%zu of %zu did not stop in time or did not fit", unread, r.living.size());
  if (unread) arena.gap("the native stacks of some threads", why, "look again");
}

}  // namespace

void grab(const GrabRequest& r, ArenaWriter& arena) {
  const double deadline = monotonic_s() + most_seconds;
  record_process(r, arena);
  user_regs_struct registers{};
  const bool readable = record_thread(arena, r, r.dying, true, registers);
  const Suspects suspects(r, registers);
  copy_maps(r, arena, suspects.all());
  const LiveMemory all(r.pid, r.killed && r.files ? r.files->memory.get() : -1);
  const LiveMemory parents(r.forked_from, r.parent_files ? r.parent_files->memory.get() : -1);
  const ResidentMemory own(all, r.killed && r.files ? r.files->pagemap.get() : -1);
  const ResidentMemory before_fork(parents, r.parent_files ? r.parent_files->pagemap.get() : -1);
  const ForkedMemory forked(own, r.killed && r.parent_files ? &before_fork : nullptr, maps);
  const RecallingMemory memory(forked, maps, keepsake);
  Copier copier(memory, maps, arena);
  copy_files(r, arena);
  copy_descriptors(r, arena);
  record_fault_file(r, maps, arena);
  if (!r.killed) record_loaded_objects(memory, maps, arena);
  if (readable) copy_dying_thread(copier, registers, suspects);
  else arena.gap("the registers of the dying thread", "the kernel refused to show them", "");
  // Values may fill the arena, and after a kill who holds the memory is what is asked first.
  const auto guard = copy_guard(memory, maps, suspects.guard_request(r), arena);
  copy_python(memory, maps, python_wanted(r, registers), arena, nullptr, [&](const Memory* recording, const python::Interpreter* in) {
    if (in) copy_guard_lines(*recording, *in, guard.contexts);
    if (r.killed && r.files && r.files->smaps)
      grab_census({.pid = r.pid, .smaps_fd = r.files->smaps.get()}, memory, maps, arena);
  });
  copy_other_threads(r, copier, arena, deadline);
}

void rehearse(const GrabRequest& r, ArenaWriter& scratch) {
  copy_maps(r, scratch);
  const LiveMemory memory(r.pid);
  const python::Wanted wanted{.native_thread_id = static_cast<std::uint64_t>(r.pid),
                              .limits = {.objects = rehearsed_objects, .seconds = rehearsal_seconds}};
  copy_python(memory, maps, wanted, scratch, &keepsake);
}

void grab_exception(const GrabRequest& r, ArenaWriter& arena) {
  record_process(r, arena);
  if (r.stopped_at) arena.file("stopped_at", r.stopped_at, std::strlen(r.stopped_at));
  user_regs_struct registers{};
  const bool readable = record_thread(arena, r, r.dying, true, registers);
  copy_proc_file(arena, r.pid, "status", "raised_status");
  const std::uint64_t stack = registers.rsp;
  copy_maps(r, arena, std::span(&stack, 1));
  copy_descriptors(r, arena);
  const LiveMemory memory(r.pid);
  Copier copier(memory, maps, arena);
  if (readable) copy_stack(copier, registers.rsp, other_stack_bytes);
  copy_python(memory, maps, python_wanted(r, registers), arena);
}

void add_identity(const GrabRequest& r, ArenaWriter& arena) { copy_files(r, arena); }

void grab_identity(const GrabRequest& r, ArenaWriter& arena) {
  record_process(r, arena);
  copy_files(r, arena);
}

void grab_living(const GrabRequest& r, ArenaWriter& arena) {
  copy_maps(r, arena);
  const LiveMemory memory(r.pid);
  Copier copier(memory, maps, arena);
  copy_vdso(copier);
  record_loaded_objects(memory, maps, arena);
  // Values of the main thread: a living program's others run on, or may.
  const python::Wanted wanted{.native_thread_id = static_cast<std::uint64_t>(r.pid),
                              .thread_id = thread_pointer(r.pid, r.pid)};
  copy_python(memory, maps, wanted, arena);
  copy_living_threads(r, copier, arena);
  record_inner_ids(r, arena);
}

}  // namespace sigwhy::capture
