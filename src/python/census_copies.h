// Names and doubles: how a node reads in Python, and which large blocks hold the same bytes.
#pragma once
#include <algorithm>
#include <cstring>

#include "base/function_ref.h"
#include "python/census_room.h"

namespace sigwhy::python {

template <std::size_t room>
void put_text(char (&into)[room], std::string_view text) {
  const auto size = std::min(text.size(), room - 1);
  std::memcpy(into, text.data(), size);
  std::memset(into + size, 0, room - size);
}

// "layer.history", "state['rows'][3]".
class PathText {
 public:
  PathText(const Objects& objects, const CensusRoom& room) : o_(objects), room_(room) {}
  std::string_view of(NodeIndex index);

 private:
  void put(const Node& node);
  void put(std::string_view text);
  void put_index(std::int64_t index);

  const Objects& o_;
  const CensusRoom& room_;
  char bytes_[160];
  std::size_t size_ = 0;
};

// Pairs of blocks whose sampled pages are equal, and not all of one value; each block is told once.
void find_copies(const Memory& memory, CensusRoom& room,
                 FunctionRef<bool(const LargeBlock& first, const LargeBlock& second)> visit);

}  // namespace sigwhy::python
