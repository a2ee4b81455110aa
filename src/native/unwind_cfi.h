// libdwfl over a Target: walks a stack by call frame information (.eh_frame, else .debug_frame) from any set of
// registers. It never looks at a process: registers and memory come through callbacks, files are opened only when
// an address in them is met. libdwfl would itself fall back to frame pointers without saying so; we stop it where
// the tables end, because a guess must be marked as one.
#pragma once
#include <elfutils/libdwfl.h>

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "evidence/memory.h"
#include "native/stack_words.h"
#include "native/unwind_registers.h"
#include "target/target.h"

namespace sigwhy::native {

struct CfiStep {
  UnwindRegisters registers;
  Address pc;                 // the instruction: for callers the call, not the return address
  bool activation = false;    // pc is where this frame really stood, not a return address
  bool signal_frame = false;  // the kernel's frame that called a handler
  bool covered = false;       // the tables describe how to go on from here
};

class CfiWalker {
 public:
  // What ended a walk.
  enum class End { outermost, not_covered, failed, stopped };

  CfiWalker(const Target& target, const std::vector<Module>& modules, StackWords& words);

  // `on_step` gets every frame, the start first, and answers whether to go on. The start's pc is looked up as it
  // is: for a return address pass the byte before it.
  End walk(const UnwindRegisters& start, const std::function<bool(const CfiStep&)>& on_step);

 private:
  struct EndDwfl {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
  };
  struct EndElf {
    void operator()(Elf* elf) const { elf_end(elf); }
  };
  static int find_elf(Dwfl_Module*, void** userdata, const char* name, Dwarf_Addr, char** file_name, Elf** elf);
  static bool get_thread(Dwfl*, pid_t, void* walker, void** thread_arg);
  static bool memory_read(Dwfl*, Dwarf_Addr address, Dwarf_Word* result, void* walker);
  static bool set_registers(Dwfl_Thread* thread, void* walker);
  static int on_frame(Dwfl_Frame* frame, void* walker);

  bool is_covered(Address a);
  bool tables_cover(Dwfl_Module* module, Address a) const;
  int open_file(const Module& module, Elf** elf);

  const Target& target_;
  const std::vector<Module>& modules_;
  StackWords& words_;
  std::unordered_map<std::uint64_t, bool> covered_;
  std::vector<std::byte> vdso_;
  std::unique_ptr<Elf, EndElf> machine_;
  std::unique_ptr<Dwfl, EndDwfl> dwfl_;  // ends before what it refers to

  UnwindRegisters start_;
  const std::function<bool(const CfiStep&)>* on_step_ = nullptr;
  bool first_ = false;
  bool behind_signal_ = false;
  End end_ = End::outermost;
};

}  // namespace sigwhy::native
