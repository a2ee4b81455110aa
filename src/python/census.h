// A census of all that Python names reach: which of them hold how much memory. It copies nothing and allocates
// nothing: it goes through the objects in place, breadth first, so that everything gets its shortest name, and only
// adds up. All it needs to remember lies in room that the caller lends.
//
// The user's own names come first (locals of all his frames, globals of his modules), then those of libraries; what
// was counted once is not counted again, and a block of memory that several arrays share counts once.
#pragma once
#include <cstdint>
#include <span>

#include "python/census_record.h"
#include "python/interpreter.h"
#include "python/tensors/tensor.h"

namespace sigwhy::python {

struct CensusLimits {
  std::uint32_t objects = 600'000;
  double seconds = 0.25;
};

// Hears where things lie, to label memory by address.
class MemoryPlaces {
 public:
  virtual ~MemoryPlaces() = default;
  // The memory of an array; returns how much of it can be there at all (a file's part that nobody read is not).
  virtual std::uint64_t array(Address start, std::uint64_t bytes) = 0;
  // An object, or a table that belongs to one.
  virtual void object(Address at, std::uint64_t bytes) = 0;
};

struct CensusRequest {
  CensusLimits limits;
  TensorLayouts* tensors = nullptr;
  std::span<std::byte> scratch;  // half a mebibyte at least; two and more let it remember half a million objects
  MemoryPlaces* places = nullptr;
};

inline constexpr std::size_t least_census_scratch = 512u << 10;

// Returns how many bytes of `into` (most_census_bytes are enough) hold the record; 0: too little room.
std::size_t take_census(const Memory& memory, const Interpreter& interpreter, const CensusRequest& request,
                        std::span<std::byte> into);

}  // namespace sigwhy::python
