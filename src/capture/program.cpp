#include "capture/program.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "base/owned_fd.h"

namespace sigwhy::capture {

namespace {

constexpr const char* traces_others = "it traces processes itself (it imports ptrace), and a process has one tracer at most";
constexpr const char* checks_leaks = "LeakSanitizer stops the threads by ptrace itself when the program ends";

constexpr std::size_t most_string_bytes = 64u << 20;

bool holds_word(std::string_view strings, std::string_view word) {
  // Every string of the table stands between two NULs.
  for (auto at = strings.find(word); at != strings.npos; at = strings.find(word, at + 1))
    if (at > 0 && strings[at - 1] == '\0' && at + word.size() < strings.size() && strings[at + word.size()] == '\0')
      return true;
  return false;
}

const char* judge(std::string_view strings) {
  if (holds_word(strings, "__lsan_do_leak_check") || holds_word(strings, "__asan_init") ||
      strings.find("liblsan.so") != strings.npos || strings.find("libasan.so") != strings.npos)
    return checks_leaks;
  return holds_word(strings, "ptrace") ? traces_others : nullptr;
}

// An interpreter linked into the executable, or a libpython that it needs.
bool names_python(std::string_view strings) {
  return strings.find(std::string_view("\0libpython", 10)) != strings.npos || holds_word(strings, "PyErr_PrintEx");
}

// The string tables of an ELF file that hold symbol names: of the dynamic symbols (which name the needed libraries
// too), and of the others, because a statically linked debugger (py-spy) imports nothing. A stripped static one is not
// recognised.
template <class OnTable>
void each_name_table(std::string_view file, OnTable on_table) {
  Elf64_Ehdr header;
  if (file.size() < sizeof header) return;
  memcpy(&header, file.data(), sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return;
  const auto section_at = [&](std::uint64_t index, Elf64_Shdr& section) {
    const auto at = header.e_shoff + index * sizeof section;
    if (index >= header.e_shnum || at > file.size() || file.size() - at < sizeof section) return false;
    memcpy(&section, file.data() + at, sizeof section);
    return true;
  };
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section, strings;
    if (!section_at(i, section)) return;
    if (section.sh_type != SHT_DYNAMIC && section.sh_type != SHT_SYMTAB) continue;
    if (!section_at(section.sh_link, strings) || strings.sh_size > most_string_bytes) continue;
    if (strings.sh_offset > file.size() || file.size() - strings.sh_offset < strings.sh_size) continue;
    on_table(file.substr(strings.sh_offset, strings.sh_size), section.sh_type == SHT_DYNAMIC);
  }
}

Program judge_elf(std::string_view file) {
  Program program;
  each_name_table(file, [&](std::string_view names, bool dynamic) {
    if (dynamic) program.runs_python = names_python(names);
    if (!program.let_go) program.let_go = judge(names);
  });
  return program;
}

template <class Judge>
auto with_file(int fd, Judge judge, decltype(judge("")) otherwise) {
  struct stat status {};
  if (fstat(fd, &status) != 0 || status.st_size <= 0) return otherwise;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (at == MAP_FAILED) return otherwise;
  const auto judged = judge(std::string_view(static_cast<const char*>(at), size));
  munmap(at, size);
  return judged;
}

bool has_sanitizer(std::string_view strings) {
  for (const auto word : {"__asan_init", "__tsan_init", "__msan_init", "__lsan_init"})
    if (holds_word(strings, word)) return true;
  for (const auto name : {"libasan.so", "libtsan.so", "libmsan.so", "liblsan.so", "libclang_rt.asan"})
    if (strings.find(name) != strings.npos) return true;
  return false;
}

const char* preload_refusal(std::string_view file) {
  Elf64_Ehdr header;
  if (file.size() < sizeof header) return "it is no ELF program";
  memcpy(&header, file.data(), sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "it is no ELF program";
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) return "it is no 64-bit x86 program";
  bool glibc = false, loaded = false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part;
    const auto at = header.e_phoff + std::uint64_t{i} * sizeof part;
    if (at > file.size() || file.size() - at < sizeof part) return "its headers make no sense";
    memcpy(&part, file.data() + at, sizeof part);
    if (part.p_type != PT_INTERP || part.p_offset > file.size()) continue;
    loaded = true;
    glibc = file.substr(part.p_offset, part.p_filesz).find("ld-linux-x86-64") != file.npos;
  }
  if (!loaded) return "it is linked statically";
  if (!glibc) return "it is not linked with glibc";
  bool sanitized = false;
  each_name_table(file, [&](std::string_view names, bool) { sanitized |= has_sanitizer(names); });
  return sanitized ? "it is built with a sanitizer, which brings its own heap" : nullptr;
}

// A sanitizer preloaded into an ordinary interpreter shows only in the environment.
bool preloads_sanitizer(pid_t pid) {
  char path[64], text[32768];
  snprintf(path, sizeof path, "/proc/%d/environ", pid);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto size = fd ? ::read(fd.get(), text, sizeof text) : 0;
  if (size <= 0) return false;
  std::string_view rest(text, static_cast<std::size_t>(size));
  while (!rest.empty()) {
    const auto entry = rest.substr(0, rest.find('\0'));
    if (entry.starts_with("LD_PRELOAD=") && (entry.contains("libasan") || entry.contains("liblsan"))) return true;
    rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
  }
  return false;
}

// fork+exec-heavy programs start the same few files again and again.
struct Judged {
  dev_t device;
  ino_t inode;
  timespec changed;
  Program program;
};
Judged cache[64];
unsigned next_slot = 0;

}  // namespace

const char* why_not_preloaded(int fd) {
  struct stat status {};
  if (fstat(fd, &status) == 0 && status.st_mode & (S_ISUID | S_ISGID)) return "it runs with another user's rights";
  return with_file(fd, preload_refusal, "its file cannot be read");
}

Program program_of(pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/exe", pid);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  struct stat status {}, own {};
  if (!fd || fstat(fd.get(), &status) != 0) return {};
  // A sigwhy below us steps aside by itself.
  if (::stat("/proc/self/exe", &own) == 0 && own.st_ino == status.st_ino && own.st_dev == status.st_dev) return {};
  const auto known = std::find_if(std::begin(cache), std::end(cache), [&](const Judged& j) {
    return j.inode == status.st_ino && j.device == status.st_dev && j.changed.tv_sec == status.st_mtim.tv_sec &&
           j.changed.tv_nsec == status.st_mtim.tv_nsec;
  });
  Program program = known != std::end(cache) ? known->program : with_file(fd.get(), judge_elf, Program{});
  if (known == std::end(cache)) cache[next_slot++ % 64] = {status.st_dev, status.st_ino, status.st_mtim, program};
  if (!program.let_go && preloads_sanitizer(pid)) program.let_go = checks_leaks;
  return program;
}

}  // namespace sigwhy::capture
