// A message built in a C++ string stream lies in the stream's buffer without an end mark; where it ends, only the
// stream knows. Loggers keep file and line in the same object, right behind the stream.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "target/memory.h"

namespace sigwhy::native {

struct StreamBuffer {
  Address end;                        // one past the last character written
  std::optional<std::string> source;  // "tensor.cc:733"
};

// The string stream among `words` (a stack) whose buffer begins at `text`.
std::optional<StreamBuffer> stream_of(const Memory& memory, const std::vector<std::uint64_t>& words, Address text);

}  // namespace sigwhy::native
