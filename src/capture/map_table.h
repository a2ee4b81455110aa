// /proc/PID/maps in a fixed table, for the moments in which nothing may be allocated. The developing process
// parses the same text again at leisure (target/mappings.cpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/address.h"

namespace sigwhy::capture {

struct MapEntry {
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t offset;
  std::uint32_t path;  // offset of the path in the text, 0: none
  bool readable, writable, executable, shared;
};

class MapTable {
 public:
  // `text` must outlive the table. Entries beyond the capacity are dropped, data first, and make
  // whole() false.
  void parse(std::string_view text);

  const MapEntry* at(Address a) const;
  const MapEntry* begin() const { return entries_; }
  const MapEntry* end() const { return entries_ + size_; }
  std::string_view path(const MapEntry& e) const;
  // The last component of the path: "libc.so.6".
  std::string_view name(const MapEntry& e) const;
  bool whole() const { return whole_; }

 private:
  static constexpr std::size_t capacity = 16384;
  // Thousands of mappings are anonymous or shared memory; libraries and the stack come behind those.
  static constexpr std::size_t capacity_for_data = capacity - 4096;
  MapEntry entries_[capacity];
  std::size_t size_ = 0;
  std::string_view text_;
  bool whole_ = true;
};

}  // namespace sigwhy::capture
