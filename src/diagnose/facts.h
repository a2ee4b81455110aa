// What follows from a snapshot by arithmetic and lookup alone, derived once for all rules. A fact is not yet a
// judgement: "the base register is 0" stands here, "a null pointer" stands in a rule.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/array_shape.h"
#include "diagnose/frame_roles.h"
#include "diagnose/guard_hit.h"
#include "diagnose/python_failure.h"
#include "evidence/finding.h"
#include "evidence/python_place.h"
#include "evidence/snapshot.h"

namespace sigwhy::diagnose {

inline constexpr std::uint64_t page_bytes = 4096;
inline constexpr int si_kernel = 128;

// So little on either side of null that it is the offset of a member or a small index.
inline constexpr std::uint64_t near_null_bytes = 64u << 10;
inline bool near_null(std::uint64_t value) { return value < near_null_bytes || value > ~near_null_bytes; }

// Who made the signal. An instruction's own fault and a signal that somebody sent look alike in the wait status.
enum class Raised { by_instruction, by_kernel, by_process, by_itself, by_timer, unknown };

// An address put on the map.
struct Place {
  Address address;
  std::optional<std::size_t> region;   // it is mapped, here
  std::optional<std::size_t> lower;    // nearest region that ends at or before it
  std::optional<std::size_t> upper;    // nearest region that starts behind it
  std::uint64_t behind_bytes = 0;      // from lower's end to the address
  std::uint64_t before_bytes = 0;      // from the address to upper's start
  std::optional<std::size_t> pointer;  // the snapshot's own description of this value
};

// One register of the operand.
struct OperandPart {
  std::string name;
  std::uint64_t value = 0;
  Place place;
};

// A data access that the CPU refused. The operand's registers are told apart by what they hold, because
// compilers put pointer and index into either slot when the scale is 1.
struct MemoryFault {
  Address address;
  bool computed = false;  // from operands: the kernel did not tell the address
  std::optional<Access> access;
  std::optional<std::uint64_t> width_bytes;
  Place place;
  const MemoryOperand* operand = nullptr;
  std::size_t operand_index = 0;
  std::optional<OperandPart> base;   // holds the pointer
  std::optional<OperandPart> index;  // counts elements
  std::int64_t index_bytes = 0;      // index times scale
  bool reads() const { return access == Access::read || access == Access::read_write; }
  bool writes() const { return access == Access::write || access == Access::read_write; }
};

// The instruction pointer left the code.
struct Jump {
  Address target;
  Place place;
  bool by_return = false;             // a `ret` took it there, as far as that was seen
  std::optional<std::size_t> caller;  // frame
  bool left_no_return = false;        // no return address lies where a call would have put one
};

// The stack pointer, or the access it made, left the thread's stack at its lower end.
struct StackEnd {
  std::uint64_t size_bytes = 0;          // what the thread may use
  std::uint64_t used_bytes = 0;          // from the top of the stack to the stack pointer
  std::int64_t pointer_below_bytes = 0;  // negative: the stack pointer is still inside
  std::uint64_t access_below_bytes = 0;
};

struct FrameFact {
  Role role = Role::other;
  Family family = Family::unknown;
  std::string function;  // bare name, empty where unknown
};

// What a framework was computing, by the name in the frames, and the frame that names it.
struct Op {
  std::string name;
  std::size_t frame = 0;
};

// An array as this death sees it; same order as the snapshot's.
struct ArrayFact {
  std::string name;           // as the user knows it: "`labels`", "a view of `labels`"
  bool users = false;         // a name in the user's own code holds it
  bool at_line = false;       // named at that Python line, or handed on by the library code it called
  std::optional<Span> elements, memory;
  bool leaves_memory = false;
};

// How the refused access is tied to an array. Lying somewhere below the address is no tie.
enum class Tie {
  element,   // the address is that of one of its elements
  base,      // the operand's base register points into it
  sum,       // a register points into it, another holds exactly the distance
  argument,  // a register holds its start, and all memory from there to the address could be walked
  line,      // it is all that the Python line hands over, and memory of its own up to the address could be walked
};

struct ArrayAccess {
  std::size_t array = 0;
  Tie tie = Tie::element;
  std::string by;                   // the register, where one ties them
  std::vector<std::int64_t> index;  // of the element
  bool before = false;              // else behind its last element
  std::uint64_t bytes = 0;          // how far outside it
  // An element that shape and strides promise where the memory of the array does not reach.
  bool promised = false;
  bool certain = false;              // and nothing else in that call can have led there
  bool gone = false;                 // nothing is mapped where its data should be
  bool cut = false;                  // what is mapped at its start ends before the element
  std::vector<std::size_t> rivals;  // other arrays that are tied as well
};

// A Python name that holds the bad address: an integer, a ctypes pointer.
struct NamedPointer {
  std::string name, type;
  std::string path;  // into the snapshot
};

struct Facts {
  const Snapshot& snapshot;

  int signal = 0;  // 0: no signal
  int code = 0;
  Raised raised = Raised::unknown;

  const Thread* dying = nullptr;
  std::size_t thread = 0;
  std::vector<FrameFact> frames;         // of the dying thread, same order
  std::optional<std::size_t> own;        // first frame in the user's own code
  std::optional<std::size_t> culprit;    // first frame that is neither runtime library nor abort machinery
  bool inside_heap = false;              // the innermost frames are the C library's allocator
  std::optional<std::size_t> heap_call;  // outermost of them: "free", "malloc"
  bool runs_python = false;
  std::optional<std::size_t> abort_caller;  // the frame that called abort() or raise()
  // It was the C library that aborted, as far as the stack shows: only then are its messages about this death.
  bool libc_gave_up = true;

  const Instruction* instruction = nullptr;
  std::optional<MemoryFault> memory;
  std::optional<Jump> jump;
  std::optional<StackEnd> stack_end;
  std::optional<PythonFailure> failure;  // an uncaught exception ended it
  // SIGSEGV or SIGBUS without a bad address: alignment, a privileged instruction.
  bool general_protection = false;

  std::optional<PythonPlace> python;
  std::optional<Op> op;
  std::vector<ArrayFact> arrays;
  std::optional<ArrayAccess> array_access;
  std::optional<NamedPointer> named_pointer;
  std::optional<GuardHit> guard_hit;
  std::optional<GuardFill> guard_fill;
};

Facts facts_of(const Snapshot& snapshot);

// ---- the map
Place place_of(const Snapshot& snapshot, Address address);
const Region* region_at(const Facts& facts, const Place& place);
bool is_readable(const Region& region);
bool is_writable(const Region& region);
bool is_executable(const Region& region);
bool is_closed(const Region& region);  // PROT_NONE
// Data that a program allocates or maps and may walk off the end of.
bool is_data(const Region& region);
// The region that ends exactly where this one starts.
std::optional<std::size_t> touching_below(const Snapshot& snapshot, std::size_t region);
std::optional<std::uint64_t> register_value(const Facts& facts, std::string_view name);

// ---- frames
bool has_role(const Facts& facts, Role role);
std::optional<std::size_t> first_with(const Facts& facts, Role role);
std::optional<std::size_t> frame_named(const Facts& facts, std::string_view function);
// The frame that called the innermost run of frames in the same family, before any Python code ran in between.
std::optional<std::size_t> caller_of_family(const Facts& facts, Family family);
Whose whose_of_frame(const Facts& facts, std::optional<std::size_t> frame);
// Whose code a reader should look at: the user's own frame, else the culprit's.
Whose responsible(const Facts& facts);

// ---- texts
// Index of the first text of this kind that holds one of the words; an empty list takes any.
std::optional<std::size_t> text_with(const Facts& facts, TextKind kind, std::initializer_list<std::string_view> words);
// The same over every kind that a program's own memory gave (stderr's tail may be old and is left out).
std::optional<std::size_t> any_text_with(const Facts& facts, std::initializer_list<std::string_view> words);
std::optional<std::size_t> exception_with(const Facts& facts, std::initializer_list<std::string_view> types);
std::optional<std::uint64_t> soft_limit(const Facts& facts, std::string_view name);
std::optional<std::size_t> limit_index(const Facts& facts, std::string_view name);

}  // namespace sigwhy::diagnose
