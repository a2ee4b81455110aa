#include "inputs/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <new>

namespace sigwhy::inputs {

namespace {

constexpr std::size_t packed_piece_bytes = 32 << 10;  // small: a file of tiny members reads one for each
constexpr std::size_t plain_piece_bytes = 256 << 10;
constexpr int without_wrapping = -15;

}  // namespace

struct Inflate::Stream {
  z_stream z{};
};

void Inflate::End::operator()(Stream* stream) const {
  inflateEnd(&stream->z);
  delete stream;
}

Inflate::Inflate(const FileBytes& file, std::uint64_t offset, std::uint64_t bytes)
    : file_(&file), stream_(new Stream), packed_(packed_piece_bytes), plain_(plain_piece_bytes), read_(offset), end_(offset + bytes) {
  if (inflateInit2(&stream_->z, without_wrapping) != Z_OK) throw std::bad_alloc();
}

std::uint64_t Inflate::unused_bytes() const { return stream_->z.avail_in; }

bool Inflate::fill() {
  const auto wanted = std::min<std::uint64_t>(packed_.size(), end_ - read_);
  const auto got = file_->read(read_, std::span(packed_).first(wanted));
  read_ += got;
  stream_->z.next_in = reinterpret_cast<Bytef*>(packed_.data());
  stream_->z.avail_in = static_cast<uInt>(got);
  return got > 0;
}

std::span<const char> Inflate::next() {
  auto& z = stream_->z;
  z.next_out = reinterpret_cast<Bytef*>(plain_.data());
  z.avail_out = static_cast<uInt>(plain_.size());
  while (state_ == State::running && z.avail_out > 0) {
    if (z.avail_in == 0 && !fill()) {
      state_ = State::cut;
      break;
    }
    const int result = ::inflate(&z, Z_NO_FLUSH);
    if (result == Z_STREAM_END) state_ = State::ended;
    else if (result != Z_OK && result != Z_BUF_ERROR) {
      state_ = State::wrong;
      objection_ = z.msg ? z.msg : "it cannot be";
    }
  }
  return std::span<const char>(plain_).first(plain_.size() - z.avail_out);
}

}  // namespace sigwhy::inputs
