// What the guarded heap (src/guard) saw: the preloaded allocator under which a chosen block ends at an inaccessible
// page and stays inaccessible after its free. It turns "an address nobody owns" into "4 bytes behind the 480,000 bytes
// that data.py:18 made". Only blocks that matter for this death are kept.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "evidence/memory.h"
#include "evidence/memory_use.h"
#include "evidence/thread.h"

namespace sigwhy {

enum class GuardMode { sampled, all, before };  // `before`: the inaccessible page lies in front of the block

// A call of the allocator: who, when, from where.
struct HeapEvent {
  std::int64_t tid = 0;
  double at_seconds = 0;            // since the guard was loaded
  std::string call;                 // "malloc", "posix_memalign", "operator delete[]"
  std::vector<Frame> frames;        // the caller's first; empty where the context was overwritten
  std::vector<PythonFrame> python;  // innermost first, without values
};

// Bytes outside a block that no longer hold what the guard wrote there.
struct HeapDamage {
  std::int64_t offset = 0;  // of the first changed byte, from the block's start; negative: in front of it
  std::uint64_t bytes = 0;  // from the first changed byte to the last
  std::string found_at;     // the hex of what stands there now, at most 16 bytes
};

struct HeapRecord {
  Address start;            // what the allocator returned
  std::uint64_t bytes = 0;  // what was asked for
  std::uint64_t alignment = 0;
  BlockState state = BlockState::unknown;  // in_use or freed
  bool guarded = false;            // by a page; else only by canaries
  std::optional<Address> mapping;     // first byte of the addresses that are its own, inaccessible pages included
  std::uint64_t mapping_bytes = 0;
  bool place_reused = false;       // an older block had the same place: a stale pointer may be to that one
  std::uint64_t slack_bytes = 0;   // between the block's end and the inaccessible page: seen only at its free
  HeapEvent allocated;
  std::optional<HeapEvent> freed;
  std::optional<HeapDamage> damage;
  std::vector<std::string> roles;  // why it is kept: "fault", "damaged", "freed twice", "rdi"
  std::optional<std::uint64_t> array;  // index into Snapshot.arrays: whose data lies in it
};

// What the guard itself found, at a call of free or when the program ended.
enum class GuardStop { damaged_block, double_free, invalid_free, mismatched_free };

// A call site whose sampled blocks were never freed.
struct HeapSite {
  std::uint64_t live_blocks = 0;
  std::uint64_t live_bytes = 0;   // of the blocks that were recorded
  double share_recorded = 0;      // of the allocations of this size: live_bytes divided by it is the estimate
  HeapEvent allocated;            // the latest of them
  std::optional<AddingLine> line;  // of the user's own that led there, one in a loop if there is any; `name` is empty
};

struct GuardedHeap {
  GuardMode mode = GuardMode::sampled;
  std::uint64_t allocations = 0;
  std::uint64_t allocated_bytes = 0;
  std::uint64_t guarded_allocations = 0;
  std::uint64_t guarded_bytes = 0;
  std::uint64_t live_guarded_blocks = 0;
  double at_seconds = 0;    // when the process was stopped, since the guard was loaded
  int fill_byte = 0;        // new memory is filled with it
  int freed_fill_byte = 0;  // and freed memory that can still be read
  std::optional<GuardStop> stop;
  bool stopped = false;     // the guard ended the program for it; else it noted it and went on
  std::optional<Address> stop_address;       // the pointer that was handed to free
  std::optional<std::uint64_t> stop_block;   // index into blocks
  std::optional<HeapEvent> stop_event;
  std::vector<HeapRecord> blocks;
  std::vector<HeapSite> sites;  // the largest first
};

}  // namespace sigwhy
