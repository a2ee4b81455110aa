#include "native/texts_buffer.h"

#include "native/texts_line.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_buffer_bytes = 1u << 20;
constexpr std::size_t most_words_to_source = 48;
constexpr std::uint32_t most_line = 1'000'000;

// { const char* file; int line; int severity }, as the loggers of abseil, glog and TensorFlow have it.
std::optional<std::string> source_behind(const Memory& memory, const std::vector<std::uint64_t>& words,
                                         std::size_t from) {
  for (std::size_t i = from; i + 1 < words.size() && i < from + most_words_to_source; ++i) {
    const auto line = static_cast<std::uint32_t>(words[i + 1]),
               severity = static_cast<std::uint32_t>(words[i + 1] >> 32);
    if (line == 0 || line > most_line || severity > 16) continue;
    const auto path = memory.read_string({words[i]}, 512);
    if (path && names_source(*path)) return *path + ":" + std::to_string(line);
  }
  return std::nullopt;
}

}  // namespace

std::optional<StreamBuffer> stream_of(const Memory& memory, const std::vector<std::uint64_t>& words, Address text) {
  // A stream buffer's put area: begin, next, end.
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    const auto begin = words[i], next = words[i + 1], end = words[i + 2];
    if (begin != text.value || next <= begin || end < next || end - begin > most_buffer_bytes) continue;
    return StreamBuffer{{next}, source_behind(memory, words, i + 3)};
  }
  return std::nullopt;
}

}  // namespace sigwhy::native
