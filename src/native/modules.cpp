#include "native/modules.h"

#include <algorithm>
#include <string_view>

#include "native/module_origin.h"

namespace sigwhy::native {

namespace {

// Segments of one file lie close together; a second use of the same file far away is something else.
constexpr std::uint64_t most_hole_bytes = 64 << 20;
constexpr std::uint64_t most_vdso_bytes = 64 << 10;

struct Group {
  const Mapping* first = nullptr;
  const Mapping* last = nullptr;
  bool has_code = false;
  // Programs that move their text onto huge pages leave anonymous code between the file's own mappings.
  bool code_behind = false;
};

bool continues(const Group& group, const Mapping& m) {
  return group.last && m.path == group.last->path && m.inode == group.last->inode && m.offset != 0 &&
         m.offset >= group.last->offset && m.start.value - group.last->end.value <= most_hole_bytes;
}

void close(const Group& group, std::string_view executable, std::vector<Module>& modules) {
  if (!group.has_code) return;
  Module module{.path = group.first->path, .start = group.first->start, .end = group.last->end};
  module.file_changed = is_deleted(module.path);
  set_origin(module, executable);
  modules.push_back(std::move(module));
}

const Mapping* mapping_of(const Target& target, Address a) {
  const auto index = mapping_at(target.mappings, a);
  return index ? &target.mappings[*index] : nullptr;
}

}  // namespace

std::vector<Module> modules_of(const Target& target) {
  const auto exe = target.files.find("exe");
  const std::string_view executable = exe == target.files.end() ? "" : without_deleted(exe->second);
  std::vector<Module> modules;
  Group group;
  for (const auto& m : target.mappings) {
    if (!m.path.starts_with('/') && m.path != vdso_path) {
      group.code_behind |= m.executable;
      continue;
    }
    if (continues(group, m)) {
      group.has_code |= group.code_behind;
    } else {
      close(group, executable, modules);
      group = {.first = &m};
    }
    group.last = &m;
    group.has_code |= m.executable;
    group.code_behind = false;
  }
  close(group, executable, modules);
  return modules;
}

std::optional<std::uint64_t> module_at(const std::vector<Module>& sorted, Address a) {
  const auto after = std::ranges::upper_bound(sorted, a, {}, &Module::start);
  if (after == sorted.begin() || std::prev(after)->end <= a) return std::nullopt;
  return static_cast<std::uint64_t>(std::prev(after) - sorted.begin());
}

std::vector<std::byte> vdso_bytes(const Target& target, const Module& module) {
  std::vector<std::byte> bytes(std::min<std::uint64_t>(module.end.value - module.start.value, most_vdso_bytes));
  if (target.memory->read(module.start, bytes) != bytes.size()) bytes.clear();
  return bytes;
}

ModuleFile open_module(const Target& target, const Module& module) {
  ModuleFile result;
  if (module.path == vdso_path) {
    result.elf = ElfFile::from_bytes(vdso_bytes(target, module));
    result.match = result.elf ? FileMatch::same : FileMatch::unreadable;
    result.why = "the kernel's code page was not copied";
    return result;
  }
  const auto* mapping = mapping_of(target, module.start);
  if (!mapping) return result;
  auto file = open_mapped_file(target, *mapping);
  result.match = file.match;
  result.why = file.why;
  if (file.match != FileMatch::same) return result;
  result.elf = ElfFile::open(std::move(file.fd));
  if (!result.elf) {
    result.match = FileMatch::unreadable;
    result.why = "the file is no sound ELF file";
  }
  return result;
}

std::optional<std::uint64_t> address_in_file(const Target& target, const Module& module, const ElfFile& elf,
                                             Address pc) {
  const auto* mapping = mapping_of(target, pc);
  if (mapping && (mapping->path == module.path))
    return elf.address_of_offset(pc.value - mapping->start.value + mapping->offset);
  // Anonymous code inside the module: count from the file's first mapping.
  const auto* first = mapping_of(target, module.start);
  const auto start = first ? elf.address_of_offset(first->offset) : std::nullopt;
  if (!start) return std::nullopt;
  return *start + (pc.value - module.start.value);
}

}  // namespace sigwhy::native
