// The arena: one fixed block of memory into which a dying process is copied while it is stopped, and the file a
// saved grab is. A header, then records one behind another, each padded to eight bytes. Written without a single
// allocation by ArenaWriter (in the supervisor), read by target/saved.cpp (in the developing process), which
// trusts none of it.
#pragma once
#include <signal.h>
#include <sys/user.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/address.h"

namespace sigwhy {

struct ArenaHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t full;  // something did not fit: 1
  std::uint64_t used;  // bytes in use, this header included
};
inline constexpr char arena_magic[8] = {'S', 'I', 'G', 'W', 'H', 'Y', 'A', '1'};
inline constexpr std::uint32_t arena_version = 1;
static_assert(sizeof(ArenaHeader) == 24);

enum class RecordType : std::uint32_t { process = 1, signal, thread, memory, file, gap };

struct RecordHeader {
  std::uint32_t type;
  std::uint32_t bytes;  // of the payload
};
static_assert(sizeof(RecordHeader) == 8);

struct ProcessRecord {
  std::int32_t pid;
  std::int16_t handled_first;
  std::int16_t living;  // it was looked at, not caught dying
  std::int64_t started_unix_s;
  double after_seconds;
};

struct ThreadRecord {
  std::int32_t tid;
  std::int32_t died;
  std::int16_t has_registers;
  std::int16_t partial;  // it was not stopped: only rip, rsp and fs_base are known
  char name[16];
  std::int32_t doing;  // 0: not known; 1: at work; 2 + n: asleep in system call n
  user_regs_struct registers;
};

struct MemoryRecord {
  std::uint64_t address;  // the bytes follow
};

struct FileRecord {
  char name[24];  // the bytes follow

  std::string_view name_text() const { return {name, strnlen(name, sizeof name)}; }
};

// A gap record holds three C strings: what, why, remedy.

class ArenaWriter {
 public:
  // `storage` is at least sizeof(ArenaHeader); whatever it held before is forgotten.
  explicit ArenaWriter(std::span<std::byte> storage);
  // Goes on where another writer of the same storage ended.
  static ArenaWriter behind_what_is_in(std::span<std::byte> storage);

  // Room for a payload whose size is known only after it was filled (read() straight into the arena);
  // nullptr when fewer than `least` bytes are left. commit() closes it.
  std::byte* reserve(RecordType type, std::size_t least, std::size_t& room);
  void commit(std::size_t bytes);

  bool append(RecordType type, const void* payload, std::size_t bytes);
  void gap(const char* what, const char* why, const char* remedy);
  bool file(const char* name, const void* bytes, std::size_t size);

  // Forgets everything written since used() was this.
  void rewind(std::size_t used);

  std::size_t left() const { return storage_.size() - used_; }
  std::size_t used() const { return used_; }

 private:
  std::span<std::byte> storage_;
  std::size_t used_ = 0;
};

}  // namespace sigwhy
