#include "native/unwind_cfi.h"

#include <cstdlib>
#include <cstring>

#include "native/modules.h"

namespace sigwhy::native {

namespace {

constexpr pid_t any_thread = 1;

int no_debug_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) {
  return -1;
}

pid_t no_next_thread(Dwfl*, void*, void**) { return 0; }

// libdwfl takes the architecture from an ELF file; a bare header saves opening one.
Elf64_Ehdr& machine_header() {
  static Elf64_Ehdr header = [] {
    Elf64_Ehdr h{};
    std::memcpy(h.e_ident, ELFMAG, SELFMAG);
    h.e_ident[EI_CLASS] = ELFCLASS64;
    h.e_ident[EI_DATA] = ELFDATA2LSB;
    h.e_ident[EI_VERSION] = EV_CURRENT;
    h.e_type = ET_DYN;
    h.e_machine = EM_X86_64;
    h.e_version = EV_CURRENT;
    h.e_ehsize = sizeof h;
    return h;
  }();
  return header;
}

bool cfi_covers(Dwarf_CFI* cfi, Dwarf_Addr address) {
  Dwarf_Frame* frame = nullptr;
  if (!cfi || dwarf_cfi_addrframe(cfi, address, &frame) != 0) return false;
  std::free(frame);
  return true;
}

}  // namespace

CfiWalker::CfiWalker(const Target& target, const std::vector<Module>& modules, StackWords& words)
    : target_(target), modules_(modules), words_(words) {
  static const Dwfl_Callbacks callbacks{.find_elf = find_elf,
                                        .find_debuginfo = no_debug_file,
                                        .section_address = dwfl_offline_section_address,
                                        .debuginfo_path = nullptr};
  static const Dwfl_Thread_Callbacks thread_callbacks{.next_thread = no_next_thread,
                                                      .get_thread = get_thread,
                                                      .memory_read = memory_read,
                                                      .set_initial_registers = set_registers,
                                                      .detach = nullptr,
                                                      .thread_detach = nullptr};
  elf_version(EV_CURRENT);
  machine_.reset(elf_memory(reinterpret_cast<char*>(&machine_header()), sizeof(Elf64_Ehdr)));
  dwfl_.reset(dwfl_begin(&callbacks));
  dwfl_report_begin(dwfl_.get());
  for (const auto& module : modules) {
    auto* reported = dwfl_report_module(dwfl_.get(), module.path.c_str(), module.start.value, module.end.value);
    void** userdata = nullptr;
    if (reported && dwfl_module_info(reported, &userdata, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr))
      *userdata = this;
  }
  dwfl_report_end(dwfl_.get(), nullptr, nullptr);
  dwfl_attach_state(dwfl_.get(), machine_.get(), target.pid, &thread_callbacks, this);
}

int CfiWalker::find_elf(Dwfl_Module*, void** userdata, const char*, Dwarf_Addr base, char** file_name, Elf** elf) {
  auto& walker = *static_cast<CfiWalker*>(*userdata);
  const auto index = module_at(walker.modules_, Address{base});
  if (!index) return -1;
  const auto& module = walker.modules_[*index];
  const auto fd = walker.open_file(module, elf);
  if (fd >= 0) *file_name = strdup(module.path.c_str());
  return fd;
}

int CfiWalker::open_file(const Module& module, Elf** elf) {
  if (module.path == vdso_path) {
    if (vdso_.empty()) vdso_ = vdso_bytes(target_, module);
    if (!vdso_.empty()) *elf = elf_memory(reinterpret_cast<char*>(vdso_.data()), vdso_.size());
    return -1;
  }
  const auto mapping = mapping_at(target_.mappings, module.start);
  return mapping ? open_mapped_file(target_, target_.mappings[*mapping]).fd.release() : -1;
}

bool CfiWalker::get_thread(Dwfl*, pid_t, void* walker, void** thread_arg) {
  *thread_arg = walker;
  return true;
}

bool CfiWalker::memory_read(Dwfl*, Dwarf_Addr address, Dwarf_Word* result, void* walker) {
  const auto word = static_cast<CfiWalker*>(walker)->words_.at(Address{address});
  if (word) *result = *word;
  return word.has_value();
}

bool CfiWalker::set_registers(Dwfl_Thread* thread, void* walker) {
  const auto& values = static_cast<CfiWalker*>(walker)->start_.values;
  return dwfl_thread_state_registers(thread, 0, static_cast<unsigned>(values.size()), values.data());
}

bool CfiWalker::tables_cover(Dwfl_Module* module, Address a) const {
  Dwarf_Addr bias = 0;
  if (auto* cfi = dwfl_module_eh_cfi(module, &bias); cfi_covers(cfi, a.value - bias)) return true;
  auto* cfi = dwfl_module_dwarf_cfi(module, &bias);
  return cfi_covers(cfi, a.value - bias);
}

bool CfiWalker::is_covered(Address a) {
  const auto [entry, is_new] = covered_.try_emplace(a.value, false);
  if (!is_new) return entry->second;
  auto* module = dwfl_addrmodule(dwfl_.get(), a.value);
  return entry->second = module && tables_cover(module, a);
}

int CfiWalker::on_frame(Dwfl_Frame* frame, void* arg) {
  auto& walker = *static_cast<CfiWalker*>(arg);
  walker.words_.forget_failure();
  CfiStep step;
  for (unsigned i = 0; i < UnwindRegisters::count; ++i)
    if (dwfl_frame_reg(frame, i, &step.registers.values[i]) != 0) step.registers.values[i] = 0;
  Dwarf_Addr pc = 0;
  if (!dwfl_frame_pc(frame, &pc, nullptr)) return walker.end_ = End::failed, DWARF_CB_ABORT;
  step.registers.values[UnwindRegisters::rip] = pc;

  step.activation = std::exchange(walker.first_, false) || walker.behind_signal_;
  step.covered = walker.is_covered(Address{step.activation || pc == 0 ? pc : pc - 1});
  // The frame that called a handler returns to the first byte of its trampoline, so it is looked up exactly.
  bool exact = false;
  if (step.covered && dwfl_frame_pc(frame, &pc, &exact)) step.signal_frame = exact && !step.activation;
  step.pc = Address{step.activation || step.signal_frame || pc == 0 ? pc : pc - 1};
  walker.behind_signal_ = step.signal_frame;

  walker.end_ = End::stopped;
  if (!(*walker.on_step_)(step)) return DWARF_CB_ABORT;
  walker.end_ = step.covered ? End::failed : End::not_covered;
  return step.covered ? DWARF_CB_OK : DWARF_CB_ABORT;
}

CfiWalker::End CfiWalker::walk(const UnwindRegisters& start, const std::function<bool(const CfiStep&)>& on_step) {
  start_ = start;
  on_step_ = &on_step;
  first_ = true;
  behind_signal_ = false;
  end_ = End::failed;
  words_.forget_failure();
  const bool ended = dwfl_getthread_frames(dwfl_.get(), any_thread, on_frame, this) == 0;
  // a return address that cannot be read looks to libdwfl like the end of the stack
  return ended && !words_.failed() ? End::outermost : end_;
}

}  // namespace sigwhy::native
