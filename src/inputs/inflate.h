// Deflate (RFC 1951), piece by piece, out of a part of a file. It has no checksum of its own: damage shows where a code
// or a distance cannot be, some bytes to thousands of bytes behind it, or only in the checksum of what wraps it.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "inputs/file_bytes.h"

namespace sigwhy::inputs {

class Inflate {
 public:
  Inflate(const FileBytes& file, std::uint64_t offset, std::uint64_t bytes);

  // Empty: it ended, in one of the three ways below.
  std::span<const char> next();

  bool ended() const { return state_ == State::ended; }            // by its own mark
  bool cut() const { return state_ == State::cut; }                // the part of the file is used up before
  const std::string& objection() const { return objection_; }      // "invalid distance too far back"; else empty
  std::uint64_t position() const { return read_ - unused_bytes(); }  // in the file, behind the last byte used

 private:
  enum class State { running, ended, cut, wrong };
  struct Stream;
  struct End {
    void operator()(Stream* stream) const;
  };
  std::uint64_t unused_bytes() const;
  bool fill();

  const FileBytes* file_;
  std::unique_ptr<Stream, End> stream_;
  std::vector<char> packed_, plain_;
  std::uint64_t read_, end_;
  State state_ = State::running;
  std::string objection_;
};

}  // namespace sigwhy::inputs
