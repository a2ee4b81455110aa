// The picture of a GPU's memory that an allocator draws when it refuses: how much was asked for, what is free, who
// holds the rest. PyTorch has drawn it in several wordings since 1.0, CuPy and JAX tell a part. So it is read clause by
// clause: a size, and what the words around it call it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct ToldSize {
  std::uint64_t bytes = 0;
  std::string text;  // as it was told, so that nobody has to match 139.80 with 140
};

struct GpuMemory {
  std::optional<ToldSize> asked;
  std::string what;  // "a float32 array (1024, 1024)", may be empty
  std::optional<ToldSize> capacity, free, limit;
  std::optional<ToldSize> mine;       // all this process has on the GPU
  std::optional<ToldSize> allocated;  // what its library has given out,
  std::optional<ToldSize> idle;       // and what it keeps in reserve, in pieces
  std::uint64_t elsewhere_bytes = 0;  // neither free nor this process's; 0: none, or not known

  bool is_too_large() const { return asked && capacity && asked->bytes > capacity->bytes; }
  // One that the program set for its library: the card itself may have room.
  bool is_over_limit() const {
    return asked && limit && !is_too_large() && asked->bytes + (allocated ? allocated->bytes : 0) > limit->bytes;
  }
  bool is_without_room() const { return asked && free && asked->bytes > free->bytes; }
  // Without what others hold it would have fitted.
  bool is_by_others() const { return is_without_room() && asked->bytes - free->bytes <= elsewhere_bytes; }
  bool is_in_pieces() const { return asked && idle && idle->bytes >= asked->bytes; }
};

GpuMemory gpu_memory(const PyException& exception);

// What Python names hold on the GPU, as far as they were seen.
struct GpuHolder {
  std::string name;
  std::uint64_t count = 0, bytes = 0;
  std::vector<EvidenceRef> evidence;
};
struct GpuHolders {
  std::uint64_t bytes = 0;  // all together
  std::optional<GpuHolder> largest;
  // A list of single numbers: losses, scores. What backward() needs hangs on each that was not detached, and has no
  // name of its own.
  std::optional<GpuHolder> numbers;
};
GpuHolders gpu_holders(const Facts& facts);

}  // namespace sigwhy::diagnose
