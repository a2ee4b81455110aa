// The whole contract between the preloaded guard and the supervisor. The guard only records; who judges is outside.
//
// The tables lie in private memory of the guarded process, so a fork's child has its own from the first instant, and
// nothing is left behind by a process that is killed. The supervisor finds them without symbols: in the writable
// mappings of libsigwhy_guard.so the header stands at the start of a page and begins with the magic. It reads the
// header, then what the header points to, and believes none of it: the program can have written there.
//
// An inaccessible page need not show as one in /proc/PID/maps: where the kernel knows guard markers (6.13 and later)
// small blocks lie in one readable and writable mapping, and reading a guarded page of it fails all the same.
#pragma once
#include <cstddef>
#include <cstdint>

namespace sigwhy::guard {

inline constexpr char library_name[] = "libsigwhy_guard.so";
inline constexpr char seed_variable[] = "SIGWHY_GUARD_SEED";  // where blocks are placed, which byte fills them
inline constexpr char fresh_variable[] = "SIGWHY_GUARD_FRESH";  // blocks of this many bytes get places that none had before
inline constexpr char mode_variable[] = "SIGWHY_GUARD";  // sampled, all, before
inline constexpr char magic[8] = {'S', 'I', 'G', 'W', 'H', 'Y', 'G', '1'};
inline constexpr std::uint32_t version = 5;

inline constexpr unsigned char canary_byte = 0xca;      // behind and, where there is room, in front of a block

enum class Mode : std::uint8_t { off = 0, sampled = 1, all = 2, before = 3 };

// What made or ended a block; the mismatched pairs follow from it.
enum class Call : std::uint8_t {
  none = 0, malloc_, calloc_, realloc_, reallocarray_, memalign_, aligned_alloc_, posix_memalign_, valloc_, pvalloc_,
  new_, new_array, free_, delete_, delete_array,
};

enum class State : std::uint8_t { unused = 0, live = 1, freed = 2 };

// Why the guard stopped the program itself (by abort, as the C library would), or what it noted in passing.
enum class Stop : std::uint8_t { none = 0, damaged_block = 1, double_free = 2, invalid_free = 3, mismatched_free = 4 };

// Bits of Header::limits: why less was guarded than was asked for.
enum Limit : std::uint32_t {
  other_allocator = 1,   // malloc is not the C library's: everything is passed through
  map_count = 2,         // 60 % of vm.max_map_count
  no_memory = 4,         // the kernel refused a mapping
  table_full = 8,        // more live blocks than records
  page_budget = 16,      // a page each for ever more small blocks would cost too much memory
};

inline constexpr std::size_t canary_tail_bytes = 16;
inline constexpr std::size_t damage_bytes_kept = 16;

// A recorded block. Guarded by pages: [mapping, mapping + mapping_bytes) is its own address space, with at least one
// inaccessible page of its own at either end; accessible are the pages that [start, start + bytes) touches while it is
// live, and none once it is freed. What lies between the block and the ends of those pages is slack, filled with
// canary_byte. Or by canaries alone (mapping is 0): a block of the C library with canary_tail_bytes of them behind it.
struct Block {
  std::uint64_t start;  // 0: unused
  std::uint64_t bytes;
  std::uint64_t mapping;
  std::uint64_t mapping_bytes;
  std::uint64_t allocated_context;  // Context::id; 0: none was kept
  std::uint64_t freed_context;
  std::uint32_t allocated_tid;
  std::uint32_t freed_tid;
  std::uint32_t allocated_ms;  // since Header::started_ns
  std::uint32_t freed_ms;
  State state;
  Call allocated_by;
  Call freed_by;
  std::uint8_t alignment_log2;
  std::uint32_t stands_for;  // blocks of its size and place, itself included: not all of them are recorded
  std::int64_t damage_offset;  // from start; meaningful where damage_bytes is not 0
  std::uint64_t damage_bytes;  // from the first changed byte to the last
  std::uint64_t tenants;  // blocks that have had this place, this one included: a stale pointer may be to an older one
  unsigned char damage[damage_bytes_kept];  // what stood there, from the first changed byte on
};
static_assert(sizeof(Block) == 112);

inline constexpr std::size_t python_frames_kept = 12;
inline constexpr std::size_t stack_bytes_kept = 4096;  // torch's dispatch alone takes 2 KiB; half of it where only some blocks are guarded

struct PythonFrame {
  std::uint64_t code;         // PyCodeObject*; read when the process dies, so it may be gone by then
  std::uint64_t instruction;  // as the frame keeps it: f_lasti as an int, sign-extended (2.7 to 3.10), else the address
};

// Where a call of the allocator came from. Calls whose code addresses and Python frames are alike share one: the
// registers, the thread and the data on the stack are those of the first of them. A slot is reused when no record
// refers to it or all are taken; it is the one meant only if the id is.
struct Context {
  std::uint64_t id;  // 0: unused, or being written; slot = id % context_capacity
  std::uint64_t pc;  // the return address into the caller
  std::uint64_t sp;  // the caller's stack pointer after the return
  std::uint64_t bp, bx, r12, r13, r14, r15;
  std::uint64_t unloaded_count;  // Header::unloaded_count at that time
  std::uint32_t tid;
  std::uint16_t python_count;
  std::uint16_t stack_bytes;  // copied from sp upwards
  PythonFrame python[python_frames_kept];
  unsigned char stack[stack_bytes_kept];
};
static_assert(sizeof(Context) == 88 + 16 * python_frames_kept + stack_bytes_kept);

// A library that is gone since: its addresses may be another's by now.
struct Unloaded {
  std::uint64_t start, end;
  std::uint64_t number;  // its own, from 0 on; a context with an unloaded_count up to this is older
};
inline constexpr std::size_t unloaded_kept = 32;  // number n is in place n % unloaded_kept

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t bytes;  // sizeof(Header)
  std::uint32_t pid;    // whose tables these are
  Mode mode;
  Stop stop;        // what was found first
  std::uint8_t stopped;  // the guard ended the program for it
  std::uint8_t reserved;
  std::uint32_t limits;
  std::uint32_t block_capacity;
  std::uint64_t blocks;         // Block[block_capacity]
  std::uint64_t blocks_used;    // highest index ever used, plus one
  std::uint64_t contexts;       // Context[context_capacity]
  std::uint64_t context_capacity;
  std::uint64_t stop_address;   // the pointer that was handed to free
  std::uint64_t stop_block;     // index plus one; 0: none is known
  std::uint64_t stop_context;
  std::uint64_t started_ns;     // CLOCK_MONOTONIC
  // counters; torn values are harmless
  std::uint64_t allocations;
  std::uint64_t allocated_bytes;
  std::uint64_t guarded_allocations;
  std::uint64_t guarded_bytes;
  std::uint64_t live_guarded;
  std::uint64_t quarantined_bytes;
  // Every run places its blocks differently and fills with other bytes, all of it from the seed: what two runs have in
  // common is the program's own.
  std::uint64_t seed;
  std::uint8_t fill_byte;        // new memory, where it is filled
  std::uint8_t freed_fill_byte;  // freed memory that can still be read: blocks without pages of their own
  std::uint8_t reserved_too[6];
  std::uint64_t freed_filled;    // blocks that were filled with it; 0: it is nowhere
  std::uint64_t unloaded_count;
  Unloaded unloaded[unloaded_kept];
};
static_assert(sizeof(Header) == 176 + unloaded_kept * sizeof(Unloaded));

}  // namespace sigwhy::guard
