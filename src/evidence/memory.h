// Address space: what was mapped where, and what the pointers that matter point to.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"

namespace sigwhy {

// Where a loaded file comes from, read off its path.
enum class Origin { program, interpreter, system, package, user, kernel, unknown };

struct Module {
  std::string path;
  Address start;
  Address end;
  std::optional<std::string> build_id;
  Origin origin = Origin::unknown;
  std::optional<std::string> package;  // "numpy" for .../site-packages/numpy/core/x.so
  // The file on disk is no longer the one that was mapped (replaced or deleted during the run).
  bool file_changed = false;
};

enum class RegionKind { file, heap, stack, thread_stack, guard, anonymous, shared_memory, vdso, device, unknown };

// What another process may have freed between a refused write and our question.
inline constexpr std::uint64_t nearly_nothing_bytes = 1u << 20;

// Size and fullness of the file system a file lies on, asked when the process died.
struct FileSystem {
  std::string type;  // "tmpfs", "ext4", ...
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;
};

struct Region {
  Address start;
  Address end;
  std::string permissions;  // "rw-p" as in /proc/PID/maps
  std::uint64_t offset = 0;
  std::string path;
  RegionKind kind = RegionKind::unknown;
  std::optional<std::uint64_t> file_bytes;  // the file's present size
  std::optional<FileSystem> file_system;
};

// Raw bytes kept in the side file of the case.
struct MemoryBlock {
  Address address;
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;  // in the side file
};

enum class BlockState { in_use, freed, top, unmapped, corrupted, unknown };

// A block of glibc's heap as its own headers describe it.
struct HeapBlock {
  Address start;  // what malloc returned
  std::uint64_t bytes = 0;
  BlockState state = BlockState::unknown;
  std::string detail;  // how the state is known: "linked in the unsorted bin", ...
};

// Distance to a neighbouring region: how far behind its end or before its start a pointer lies.
struct Distance {
  std::uint64_t region = 0;  // index into Snapshot.regions
  std::uint64_t bytes = 0;
};

// A pointer that matters for this death (fault address, base register, freed block, ...) described.
// glibc writes a random number of its own into the second word of the small blocks it keeps for reuse: whoever has it
// for a pointer read it there.
inline constexpr std::string_view freed_mark_look = "malloc's mark of a freed block";

struct Pointer {
  std::string role;  // "fault", "rax", "freed", "return address", ...
  Address value;
  std::optional<std::uint64_t> region;  // index into Snapshot.regions, absent: mapped nowhere
  std::optional<Distance> behind;       // bytes behind the end of the nearest lower region
  std::optional<Distance> before;       // bytes before the start of the nearest higher region
  std::optional<HeapBlock> block;
  // What the eight bytes look like when they are no pointer: "two floats: -1.5, -1.5", "text: \"Hello wo\"".
  std::vector<std::string> looks_like;
};

}  // namespace sigwhy
