// The bytes behind a compression of the whole file: gzip (RFC 1952; one member or several, one behind the other) or a
// zlib stream (RFC 1950). Both wrap deflate and end with a checksum of the plain bytes.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "evidence/input.h"
#include "inputs/file_bytes.h"
#include "inputs/inflate.h"

namespace sigwhy::inputs {

inline constexpr std::string_view gzip_magic = "\x1f\x8b";

// Two bytes that a zlib stream with a usual window can begin with. Weak: one in a few hundred files begins so by chance.
bool looks_like_zlib(std::string_view first_bytes);

class Unwrapped {
 public:
  enum class Wrapping { gzip, zlib };

  Unwrapped(const FileBytes& file, Wrapping wrapping) : file_(&file), wrapping_(wrapping) {}

  // Empty: the end, or a flaw.
  std::span<const char> next();

  // Of the wrapping; its offset counts in the file.
  const std::optional<Flaw>& flaw() const { return flaw_; }
  std::uint64_t members() const { return members_; }    // whole ones
  std::uint64_t bytes() const { return all_bytes_; }    // given out until now
  std::uint64_t zeros_behind() const { return zeros_behind_; }  // a tape's or a file system's padding

 private:
  bool begin_member();
  std::optional<std::uint64_t> header_end();
  std::optional<std::uint64_t> gzip_header_end();
  void end_member();
  void check_gzip_trailer();
  void check_zlib_trailer();
  bool only_zeros_from_here();
  std::nullopt_t wrong(std::uint64_t offset, std::string_view field, std::string what);
  std::string member_text() const;

  const FileBytes* file_;
  Wrapping wrapping_;
  std::unique_ptr<Inflate> inflate_;
  std::uint64_t position_ = 0, data_at_ = 0, members_ = 0, all_bytes_ = 0, member_bytes_ = 0, zeros_behind_ = 0;
  std::uint32_t checksum_ = 0;
  bool done_ = false;
  std::optional<Flaw> flaw_;
};

}  // namespace sigwhy::inputs
