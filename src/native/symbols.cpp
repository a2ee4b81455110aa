#include "native/symbols.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "native/file_backed_memory.h"
#include "native/module_origin.h"
#include "native/modules.h"
#include "native/symbol_table.h"
#include "native/symbols_called.h"

namespace sigwhy::native {

namespace {

using Names = std::map<Address, FoundSymbol>;
using Wanted = std::map<Address, std::uint64_t>;  // pc -> address in the file

void look_up(const ElfFile& elf, std::uint32_t table_type, const Wanted& wanted, Names& names) {
  const auto* table = elf.section_of_type(table_type);
  if (!table) return;
  std::vector<Address> pcs;
  std::vector<std::uint64_t> addresses;
  for (const auto& [pc, address] : wanted) {
    if (names.contains(pc)) continue;
    pcs.push_back(pc);
    addresses.push_back(address);
  }
  auto found = find_symbols(elf, *table, addresses);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i]) names[pcs[i]] = {demangled(found[i]->name), found[i]->offset};
}

Names names_in(const Target& target, const ElfFile& elf, const std::optional<std::string>& build_id,
               const Wanted& wanted) {
  Names names;
  look_up(elf, SHT_SYMTAB, wanted, names);
  if (names.size() < wanted.size() && !elf.section_of_type(SHT_SYMTAB) && build_id)
    if (const auto debug = open_debug_file(target, *build_id)) look_up(*debug, SHT_SYMTAB, wanted, names);
  if (names.size() < wanted.size()) look_up(elf, SHT_DYNSYM, wanted, names);
  return names;
}

std::vector<Frame*> frames_in(std::vector<Thread>& threads, std::uint64_t module) {
  std::vector<Frame*> frames;
  for (auto& thread : threads)
    for (auto& frame : thread.frames)
      if (frame.module == module) frames.push_back(&frame);
  return frames;
}

// Whether the reader misses a name of this module: where the thread died, or in code that is not the system's.
bool misses_a_name(const std::vector<Thread>& threads, const std::vector<Module>& modules, std::uint64_t module) {
  for (const auto& thread : threads)
    for (const auto& frame : thread.frames)
      if (thread.died && frame.module == module && !frame.symbol &&
          (&frame == &thread.frames.front() || modules[module].origin != Origin::system))
        return true;
  return false;
}

// Whether the module's file could be read.
bool name_module(const Target& target, Module& module, const std::vector<Frame*>& frames, std::vector<Gap>& gaps) {
  auto file = open_module(target, module);
  module.file_changed |= file.match == FileMatch::changed || file.match == FileMatch::gone;
  if (!file.elf) {
    gaps.push_back({fmt::format("function names in {}", base_name(module.path)), file.why,
                    module.file_changed ? "do not replace or remove files of a program that runs" : ""});
    return false;
  }
  module.build_id = file.elf->build_id();
  Wanted wanted;
  for (const auto* frame : frames)
    if (const auto address = address_in_file(target, module, *file.elf, frame->pc)) wanted[frame->pc] = *address;
  const auto names = names_in(target, *file.elf, module.build_id, wanted);
  for (auto* frame : frames) {
    const auto name = names.find(frame->pc);
    if (name == names.end()) continue;
    frame->symbol = name->second.name;
    frame->symbol_offset = name->second.offset;
  }
  return true;
}

// Nameless functions get the name their caller uses, and no offset: where in it the thread stands is not known.
void name_by_callers(const Target& target, const std::vector<Module>& modules, Thread& thread) {
  const FileBackedMemory code(target);
  for (std::size_t i = 0; i + 1 < thread.frames.size(); ++i) {
    auto& frame = thread.frames[i];
    const auto& caller = thread.frames[i + 1];
    if (frame.symbol || !frame.module || !caller.module || frame.signal_frame || caller.signal_frame) continue;
    const auto& module = modules[*caller.module];
    const auto file = open_module(target, module);
    if (!file.elf) continue;
    if (const auto name = called_as(target, code, module, *file.elf, caller.pc + 1)) frame.symbol = demangled(*name);
  }
}

}  // namespace

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z") && !name.starts_with("___Z")) return name;
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : name;
  std::free(text);
  return result;
}

std::string debug_file_path(const std::string& build_id) {
  return "/usr/lib/debug/.build-id/" + build_id.substr(0, 2) + "/" + build_id.substr(2) + ".debug";
}

std::optional<ElfFile> open_debug_file(const Target& target, const std::string& build_id) {
  if (build_id.size() < 4) return std::nullopt;
  const auto path = debug_file_path(build_id);
  auto fd = open_in_root(target, path);
  if (!fd) return std::nullopt;
  auto elf = ElfFile::open(std::move(fd));
  if (!elf || elf->build_id() != build_id) return std::nullopt;
  return elf;
}

void name_frames(const Target& target, std::vector<Module>& modules, std::vector<Thread>& threads,
                 std::vector<Gap>& gaps) {
  std::vector<bool> readable(modules.size());
  for (std::uint64_t i = 0; i < modules.size(); ++i)
    if (const auto frames = frames_in(threads, i); !frames.empty())
      readable[i] = name_module(target, modules[i], frames, gaps);
  for (auto& thread : threads)
    if (thread.died) name_by_callers(target, modules, thread);
  for (std::uint64_t i = 0; i < modules.size(); ++i) {
    if (readable[i] && misses_a_name(threads, modules, i))
      gaps.push_back({fmt::format("some function names in {}", base_name(modules[i].path)),
                      "its symbol table does not cover them", "install its debug package, or do not strip it"});
  }
}

}  // namespace sigwhy::native
