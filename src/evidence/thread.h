// Threads, their stacks, and the instruction at which one of them died.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "evidence/python.h"

namespace sigwhy {

// How a frame was found. A scanned frame is a guess and is shown as one.
enum class Trust { instruction_pointer, return_slot, cfi, frame_pointer, scan };

struct Source {
  std::string file;
  int line = 0;
  std::optional<int> column;
  std::optional<std::string> text;  // the line itself, trimmed, where the file could be read at that time
};

struct InlinedCall {
  std::string symbol;
  std::optional<Source> source;
};

// The Python frames that one native frame of the interpreter's loop runs: since 3.11 many, without a C call between.
struct PythonRun {
  std::uint64_t first = 0;  // innermost, index into Thread.python
  std::uint64_t count = 0;
};

struct Frame {
  Address pc;
  Trust trust = Trust::scan;
  std::optional<std::uint64_t> module;  // index into Snapshot.modules
  std::optional<std::string> symbol;    // demangled
  std::optional<std::uint64_t> symbol_offset;
  std::optional<Source> source;
  std::vector<InlinedCall> inlined;  // innermost first; all of them belong to this pc
  std::optional<PythonRun> python;
  bool signal_frame = false;
  std::optional<Address> stack_pointer;  // rsp inside this frame; only while a snapshot is made, not kept in a case
};

struct StackBounds {
  Address low;      // lowest address of the mapping
  Address high;     // one past its highest
  Address pointer;  // rsp
};

// `times` repetitions of `period` frames starting at frame `first`; only the first repetition is kept in frames.
struct Repetition {
  std::uint64_t first = 0;
  std::uint64_t period = 0;
  std::uint64_t times = 0;
  // How many fit into the whole stack, from the bytes one repetition takes (the copied part may be shorter).
  std::optional<std::uint64_t> estimated_times;
};

struct Thread {
  std::int64_t tid = 0;
  std::string name;
  std::optional<std::string> python_name;  // threading.Thread's, where it has one
  GilState gil = GilState::unknown;
  bool died = false;  // the thread that took the fatal signal
  std::optional<bool> on_cpu;              // it was at work, not asleep; absent: could not tell
  std::optional<std::string> system_call;  // the call it slept in
  std::map<std::string, Address> registers;
  std::optional<StackBounds> stack;
  std::vector<Frame> frames;
  std::vector<PythonFrame> python;  // innermost first; empty where it runs no Python
  std::optional<Repetition> repetition;
};

enum class Access { read, write, read_write, execute };

struct MemoryOperand {
  std::string text;  // "[rax+rdx*4]"
  Access access = Access::read;
  std::uint64_t width_bytes = 0;
  std::optional<std::string> base;
  std::optional<Address> base_value;
  std::optional<std::string> index;
  std::optional<Address> index_value;
  std::uint64_t scale = 1;
  std::int64_t displacement = 0;
  std::optional<std::string> segment;
  std::optional<Address> address;  // computed; absent where an operand register is unknown
};

// An integer division with the values it was given.
struct Division {
  bool is_signed = false;
  std::uint64_t width_bytes = 0;
  std::optional<std::uint64_t> divisor;
  std::optional<std::uint64_t> dividend_low;
  std::optional<std::uint64_t> dividend_high;
};

struct Instruction {
  std::string text;
  std::string mnemonic;
  std::string bytes;  // hex
  std::string extension;  // the ISA set the decoder puts it in: "AVX512_FP16", "3DNOW", "BASE"
  // CPU features (as /proc/cpuinfo names them) that it needs and this CPU lacks; absent: not decided.
  std::optional<std::vector<std::string>> missing_features;
  bool deliberate_trap = false;  // ud2, int3, hlt and kin: meant to stop the program
  bool is_call = false;
  std::vector<MemoryOperand> operands;
  std::optional<Division> division;
};

// A number in an integer array that leads from something real exactly to the refused address.
struct CountedIndex {
  std::uint64_t array = 0;       // index into Snapshot.arrays
  std::uint64_t element = 0;     // which of its elements, in memory order
  std::int64_t number = 0;       // what stands there
  std::uint64_t bytes_each = 0;  // what it counts in
  Address from;                  // and from where
  std::optional<std::string> base;  // the register that still holds `from`; absent: an array begins there, or only the region was met
  std::optional<std::uint64_t> rows_of;  // index into Snapshot.arrays: it begins there, and bytes_each is one of its strides
};

// The register that the refused address was counted from, by the code right before the access.
struct SummedBase {
  std::string name;
  Address value;
};

// What the dying thread was doing at that moment.
struct Fault {
  std::uint64_t thread = 0;  // index into Snapshot.threads
  Address pc;
  std::optional<Instruction> instruction;  // absent: no code could be read there
  std::optional<Access> access;
  std::optional<std::uint64_t> width_bytes;
  // The address really used. From the kernel where it tells it, else computed from the operands.
  std::optional<Address> address;
  bool address_computed = false;
  // Which of instruction->operands was used.
  std::optional<std::uint64_t> operand;
  std::optional<CountedIndex> index;
  std::optional<SummedBase> summed;  // the index itself was overwritten by the sum
};

}  // namespace sigwhy
