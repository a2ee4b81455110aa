// A file's numbers by position, for formats that jump: read in pages, some of which are kept.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inputs/file_bytes.h"

namespace sigwhy::inputs {

class PagedBytes {
 public:
  explicit PagedBytes(const FileBytes& file) : file_(file) {}

  std::uint64_t bytes() const { return file_.bytes(); }
  const FileBytes& file() const { return file_; }
  bool holds(std::uint64_t offset, std::uint64_t bytes) const {
    return offset <= this->bytes() && bytes <= this->bytes() - offset;
  }
  // Little-endian, `width` from 1 to 8 bytes. Zero where the file does not reach: ask holds() first.
  std::uint64_t number(std::uint64_t offset, unsigned width);
  std::uint8_t byte(std::uint64_t offset);
  std::string text(std::uint64_t offset, std::uint64_t bytes) const { return file_.text(offset, bytes); }
  // Bytes that were there when the file was opened were not there when they were read.
  bool shrank() const { return shrank_; }

 private:
  static constexpr std::uint64_t page_bytes = 16 << 10;
  struct Page {
    std::uint64_t number = ~std::uint64_t{0};
    std::vector<char> bytes;
  };
  const Page& page_of(std::uint64_t offset);

  const FileBytes& file_;
  std::array<Page, 64> pages_;
  bool shrank_ = false;
};

}  // namespace sigwhy::inputs
