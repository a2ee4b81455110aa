#include "capture/python_points.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "base/owned_fd.h"
#include "python/interpreter.h"
#include "target/dynamic_symbols.h"
#include "target/live.h"
#include "target/target.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_maps_bytes = 4u << 20;

std::string proc_file(pid_t pid, const char* name) {
  char path[64], buffer[32768];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  std::string text;
  for (ssize_t got; fd && text.size() < most_maps_bytes && (got = ::read(fd.get(), buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

using Targets = std::vector<Address>;

// Where the jumps in a function's first bytes may lead: E9 or EB and a distance.
Targets jump_targets(const Memory& memory, Address function) {
  constexpr std::size_t looked_at = 32, long_jump = 5, short_jump = 2;
  std::array<std::uint8_t, looked_at> code{};
  const auto got = memory.read(function, std::as_writable_bytes(std::span(code)));
  Targets found;
  for (std::size_t i = 0; i + long_jump <= got; ++i) {
    std::int32_t distance;
    std::memcpy(&distance, code.data() + i + 1, sizeof distance);
    const bool is_short = code[i] == 0xeb;
    if (is_short) distance = static_cast<std::int8_t>(code[i + 1]);
    if (is_short || code[i] == 0xe9)
      found.push_back(function + i + (is_short ? short_jump : long_jump) + static_cast<std::uint64_t>(std::int64_t{distance}));
  }
  return found;
}

// Since 3.14 both exported functions only fetch the thread and jump to a third, which the interpreter itself calls
// directly: then that is the place to wait at.
Address behind_wrappers(const Memory& memory, Address print, std::optional<Address> other) {
  if (!other) return print;
  const auto targets = jump_targets(memory, *other);
  for (const Address target : jump_targets(memory, print))
    if (std::ranges::find(targets, target) != targets.end()) return target;
  return print;
}

std::vector<Address> possible_interpreters(pid_t pid) {
  std::vector<Address> found;
  for (const Mapping& m : parse_maps(proc_file(pid, "maps"))) {
    const auto name = std::string_view(m.path).substr(m.path.rfind('/') + 1);
    if (m.offset == 0 && m.path.starts_with('/') && python::may_hold_interpreter(name)) found.push_back(m.start);
  }
  return found;
}

}  // namespace

std::optional<ProgramStart> program_start(pid_t pid) {
  const std::string text = proc_file(pid, "auxv");
  ProgramStart start;
  for (std::size_t at = 0; at + sizeof(Elf64_auxv_t) <= text.size(); at += sizeof(Elf64_auxv_t)) {
    Elf64_auxv_t entry;
    text.copy(reinterpret_cast<char*>(&entry), sizeof entry, at);
    // The program headers lie right behind the file's header.
    if (entry.a_type == AT_PHDR) start.base = Address{entry.a_un.a_val & ~std::uint64_t{4095}};
    if (entry.a_type == AT_ENTRY) start.entry = Address{entry.a_un.a_val};
  }
  if (!start.base.value || !start.entry.value) return std::nullopt;
  return start;
}

std::optional<PythonPoints> python_points_at(pid_t pid, Address base) {
  const LiveMemory memory(pid);
  const auto print = dynamic_symbol(memory, base, "PyErr_PrintEx");
  if (!print) return std::nullopt;
  auto finalize = dynamic_symbol(memory, base, "Py_FinalizeEx");
  if (!finalize) finalize = dynamic_symbol(memory, base, "Py_Finalize");
  return PythonPoints{behind_wrappers(memory, *print, dynamic_symbol(memory, base, "PyErr_Print")),
                      finalize.value_or(Address{})};
}

std::optional<PythonPoints> python_points_in(pid_t pid) {
  for (const Address base : possible_interpreters(pid))
    if (auto points = python_points_at(pid, base)) return points;
  return std::nullopt;
}

bool holds_interpreter(pid_t pid) { return !possible_interpreters(pid).empty(); }

}  // namespace sigwhy::capture
