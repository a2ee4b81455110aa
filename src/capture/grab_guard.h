// Copies from the guard's tables what this death needs: the blocks that the fault address and the registers point into
// or lie beside, those that were damaged, the one that was handed to free; and from where they were allocated and
// freed. Bounded in records, bytes and time; nothing is allocated and no count that stands there is believed.
#pragma once
#include <cstdint>
#include <span>

#include "capture/guard_header.h"
#include "capture/guard_tables.h"
#include "capture/map_table.h"
#include "python/interpreter.h"
#include "target/arena.h"
#include "target/memory.h"

namespace sigwhy::capture {

struct GuardRequest {
  std::uint64_t fault = 0;                  // 0: no address is to blame
  std::span<const std::uint64_t> pointers;  // the dying thread's registers
  bool sites = false;                       // memory ran out, or somebody asks: whose blocks were never freed?
  const char* asked = nullptr;              // GrabRequest::guard_asked
};

struct CopiedGuard {
  bool loaded = false;                   // the library is in the process
  std::span<const std::byte> contexts;   // guard::Context each, in the arena
};

CopiedGuard copy_guard(const Memory& memory, const MapTable& maps, const GuardRequest& request, ArenaWriter& arena);

// What names the Python lines of these contexts, read through `recording` so that it is copied.
void copy_guard_lines(const Memory& recording, const python::Interpreter& interpreter, std::span<const std::byte> contexts);

}  // namespace sigwhy::capture
