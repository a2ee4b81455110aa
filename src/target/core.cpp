#include "target/core.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "base/byte_reader.h"
#include "target/saved.h"

namespace sigwhy {

namespace {

struct MappedFile {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> keeps_alive;
  std::int64_t changed_unix_s = 0;
};

Result<MappedFile> map_file(const std::string& path) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!fd || fstat(fd.get(), &status) != 0) return std::unexpected(errno_error("cannot open " + path, errno));
  const auto size = static_cast<std::size_t>(status.st_size);
  void* at = size ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0) : MAP_FAILED;
  if (at == MAP_FAILED) return failure("cannot read " + path, size ? strerror(errno) : "it is empty");
  std::shared_ptr<const void> keep(at, [size](const void* p) { munmap(const_cast<void*>(p), size); });
  return MappedFile{{static_cast<const std::byte*>(at), size}, keep, status.st_mtim.tv_sec};
}

void add_thread(Target& target, ByteReader note) {
  const auto status = note.read<elf_prstatus>();
  if (note.failed()) return;
  RawThread thread{.tid = status.pr_pid, .inner_tid = status.pr_pid, .died = target.threads.empty()};
  static_assert(sizeof(status.pr_reg) == sizeof(user_regs_struct));
  std::memcpy(&thread.registers.emplace(), &status.pr_reg, sizeof(user_regs_struct));
  target.threads.push_back(thread);
}

void add_process(Target& target, ByteReader note) {
  const auto info = note.read<elf_prpsinfo>();
  if (note.failed()) return;
  target.pid = info.pr_pid;
  std::string words(info.pr_psargs, strnlen(info.pr_psargs, sizeof info.pr_psargs));
  while (words.ends_with(' ')) words.pop_back();
  // The kernel has put spaces where the words ended; quotes that were there are lost.
  std::ranges::replace(words, ' ', '\0');
  target.files["cmdline"] = words;
  target.files["status"] = "Name:\t" + std::string(info.pr_fname, strnlen(info.pr_fname, sizeof info.pr_fname)) +
                           "\nUid:\t" + std::to_string(info.pr_uid) + "\nPPid:\t" + std::to_string(info.pr_ppid) + "\n";
}

// NT_FILE: count, page size, then (start, end, page offset) for each, then their names.
void name_mappings(std::vector<Mapping>& mappings, ByteReader note) {
  const auto count = note.read<std::uint64_t>();
  const auto page = note.read<std::uint64_t>();
  if (note.failed() || count > note.left() / 24) return;
  struct Named {
    std::uint64_t start, end, page_offset;
  };
  std::vector<Named> named(count);
  for (auto& n : named) n = note.read<Named>();
  std::string_view names = note.take_text(note.left());
  for (const auto& n : named) {
    const auto name = names.substr(0, names.find('\0'));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    for (auto& m : mappings)
      if (m.start.value >= n.start && m.end.value <= n.end) {
        m.path = name;
        m.offset = n.page_offset * page + (m.start.value - n.start);
      }
  }
}

void read_notes(Target& target, std::span<const std::byte> notes) {
  ByteReader in(notes);
  while (in.left() >= sizeof(Elf64_Nhdr)) {
    const auto header = in.read<Elf64_Nhdr>();
    const auto name = in.take_text(header.n_namesz);
    in.take((4 - header.n_namesz % 4) % 4);
    ByteReader note(in.take(header.n_descsz));
    in.take((4 - header.n_descsz % 4) % 4);
    if (in.failed()) return;
    if (!name.starts_with("CORE")) continue;
    switch (header.n_type) {
      case NT_PRSTATUS: add_thread(target, note); break;
      case NT_PRPSINFO: add_process(target, note); break;
      case NT_SIGINFO: target.signal = note.read<siginfo_t>(); break;
      case NT_AUXV: target.files["auxv"] = std::string(note.take_text(note.left())); break;
      case NT_FILE: name_mappings(target.mappings, note); break;
      default: break;
    }
  }
}

void add_segment(Target& target, std::vector<BlockMemory::Block>& blocks, const Elf64_Phdr& segment,
                 std::span<const std::byte> file) {
  if (segment.p_memsz == 0 || segment.p_vaddr + segment.p_memsz < segment.p_vaddr) return;
  target.mappings.push_back({.start = Address{segment.p_vaddr},
                             .end = Address{segment.p_vaddr + segment.p_memsz},
                             .readable = (segment.p_flags & PF_R) != 0,
                             .writable = (segment.p_flags & PF_W) != 0,
                             .executable = (segment.p_flags & PF_X) != 0});
  if (segment.p_offset >= file.size()) return;
  const auto size = std::min<std::uint64_t>(segment.p_filesz, file.size() - segment.p_offset);
  blocks.push_back({Address{segment.p_vaddr}, file.subspan(segment.p_offset, size)});
}

// A core names no [stack] or [heap]; what holds the main thread's stack pointer is the stack.
void name_stack(Target& target) {
  for (const auto& thread : target.threads)
    if (thread.tid == target.pid && thread.registers)
      if (const auto at = mapping_at(target.mappings, Address{thread.registers->rsp}))
        if (target.mappings[*at].path.empty()) target.mappings[*at].path = "[stack]";
}

void read_segments(Target& target, const MappedFile& file, const Elf64_Ehdr& header) {
  std::vector<BlockMemory::Block> blocks;
  std::span<const std::byte> notes;
  bool cut = false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    ByteReader in(file.bytes);
    in.seek(header.e_phoff + std::uint64_t{i} * sizeof(Elf64_Phdr));
    const auto segment = in.read<Elf64_Phdr>();
    if (in.failed()) break;
    cut |= segment.p_offset + segment.p_filesz > file.bytes.size();
    if (segment.p_type == PT_LOAD) add_segment(target, blocks, segment, file.bytes);
    if (segment.p_type == PT_NOTE && segment.p_offset < file.bytes.size())
      notes = file.bytes.subspan(segment.p_offset,
                                 std::min<std::uint64_t>(segment.p_filesz, file.bytes.size() - segment.p_offset));
  }
  std::ranges::sort(target.mappings, {}, &Mapping::start);
  read_notes(target, notes);
  name_stack(target);
  if (cut) target.gaps.push_back({"part of the core's memory", "the file is shorter than it says", "keep the whole core"});
  target.memory = std::make_unique<BlockMemory>(std::move(blocks), file.keeps_alive);
}

bool core_header(std::span<const std::byte> bytes, Elf64_Ehdr& header) {
  ByteReader in(bytes);
  header = in.read<Elf64_Ehdr>();
  return !in.failed() && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_type == ET_CORE;
}

}  // namespace

bool is_core(const std::string& path) {
  const auto file = map_file(path);
  Elf64_Ehdr header;
  return file && core_header(file->bytes, header);
}

Result<Target> target_from_core(const std::string& path) {
  auto file = map_file(path);
  if (!file) return std::unexpected(file.error());
  Elf64_Ehdr header;
  if (!core_header(file->bytes, header)) return failure(path + " is no core file");
  if (header.e_machine != EM_X86_64)
    return failure("cannot read " + path, "it is the core of another kind of processor", "x86-64 only for now");
  Target target;
  target.started_unix_s = file->changed_unix_s;
  read_segments(target, *file, header);
  if (target.threads.empty()) return failure("cannot read " + path, "no thread can be found in it");
  if (target.signal) {
    target.wait_status = target.signal->si_signo | 0x80;
    target.wait_status_known = true;
  }
  for (const auto& m : target.mappings)
    if (m.executable && m.path.starts_with('/') && target.files["exe"].empty()) target.files["exe"] = m.path;
  target.gaps.push_back({"run time, limits and the process tree", "a core file does not hold them",
                         "run the program under `sigwhy run`"});
  return target;
}

}  // namespace sigwhy
