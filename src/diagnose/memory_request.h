// An allocation that was refused with a Python exception, and how much it asked for. MemoryError itself tells no size;
// NumPy, torch and TensorFlow do, and where none does the numbers on the line may.
#pragma once
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct MemoryRequest {
  std::size_t exception = 0;
  std::optional<std::uint64_t> bytes;  // the largest number there is where it does not fit into 64 bits
  std::string what;                    // "a float64 array (1024, 1024, 32)", may be empty
  bool handled = false;                // another error rose while this one was handled, and ended the program
  bool from_line = false;              // the size is that of a variable on the line, not told by the library
  std::vector<EvidenceRef> evidence;
};

std::optional<MemoryRequest> memory_request(const Facts& facts);

// The array it was for, where the message or the exception tells shape and dtype.
void add_told_array(const PyException& exception, MemoryRequest& request);

// What every refused request rests on: the exception, and the machine's memory where it is known.
void add_request_facts(const Facts& facts, const MemoryRequest& request, Finding& finding);

// More than this machine, and any like it, can ever give.
bool is_impossible(const Facts& facts, const MemoryRequest& request);
// Address space in use, as far as the map is known.
std::uint64_t mapped_bytes(const Facts& facts);

}  // namespace sigwhy::diagnose
