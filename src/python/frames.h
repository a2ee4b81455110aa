// Walking CPython's threads and frames through memory. Allocates nothing and keeps nothing, so that the supervisor
// can walk while the process is stopped (only to have every byte it touches copied) and the developing process can
// walk the same way over the copies. Memory that lies gives fewer frames, never a loop.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "python/interpreter.h"

namespace sigwhy::python {

struct WalkedThread {
  Address at;
  std::uint64_t thread_id = 0;         // pthread_self()
  std::uint64_t native_thread_id = 0;  // 0: this version does not keep it
  std::optional<bool> holds_gil;
};

// Views are valid during the call only.
struct WalkedFrame {
  Address at;
  std::string_view file;
  std::string_view function;
  int first_line = 0;
  int offset = 0;  // bytes into the bytecode
  std::span<const std::byte> line_table;
};

// Frames in the middle of a very deep stack, which are counted and not read.
struct LeftOut {
  std::size_t frames = 0;
  std::size_t runs = 0;    // how many of them end a run
  bool outer_too = false;  // it was deeper than we count: everything further out is missing as well
};

class FrameSink {
 public:
  virtual ~FrameSink() = default;
  virtual void thread(const WalkedThread& thread) = 0;
  virtual void frame(const WalkedFrame& frame) = 0;  // innermost first, of the thread named last
  // The frames since the last such call ran in one call of the interpreter's loop. May be none: the loop is being
  // left, and what it ran is gone already. `on_stack` lies in that call's native frame, where it is known.
  virtual void run_ends(std::optional<Address> on_stack) { (void)on_stack; }
  virtual void left_out(const LeftOut&) {}
  // False: the frames of this thread are not wanted.
  virtual bool wants(const WalkedThread&) const { return true; }
  // The walk may end here.
  virtual bool enough() const { return false; }
};

void walk(const Memory& memory, const Interpreter& interpreter, FrameSink& sink);

// One frame of its own (a traceback's), at this offset into its bytecode.
void walk_frame(const Memory& memory, const Layout& layout, Address frame, int offset, FrameSink& sink);

// A code object and where in it, as the interpreter keeps that: the number of the instruction, or its address. The
// object may be gone: then nothing is said, or what lies there now.
void walk_code(const Memory& memory, const Layout& layout, Address code, std::uint64_t instruction, FrameSink& sink);

}  // namespace sigwhy::python
