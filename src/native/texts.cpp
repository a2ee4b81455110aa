#include "native/texts.h"

#include <algorithm>

#include "native/file_backed_memory.h"
#include "native/reach.h"
#include "native/texts_buffer.h"
#include "native/texts_clean.h"
#include "native/texts_encoded.h"
#include "native/texts_line.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_texts = 8;
constexpr std::size_t most_candidates = 128;
constexpr std::size_t searched_stack_bytes = 64u << 10;
constexpr std::size_t tail_lines = 20;
constexpr std::size_t most_message_bytes = 8192;
constexpr std::uint64_t page_bytes = 4096;

// { unsigned size; char text[]; } at the start of pages that glibc mapped for nothing else.
std::optional<Text> message_page(const Target& target, Address at) {
  const Mapping* m = mapping_of(target, at);
  if (at.value % page_bytes != 0 || !m || !m->writable || m->inode != 0) return std::nullopt;
  const auto size = target.memory->read_value<std::uint32_t>(at);
  if (!size || *size == 0 || *size % page_bytes != 0 || *size > m->end.value - at.value) return std::nullopt;
  const auto words = target.memory->read_string(at + 4, most_message_bytes);
  if (!words || words->size() < 4 || !is_plain_text(*words)) return std::nullopt;
  return Text{TextKind::abort_message, cleaned(*words), at + 4};
}

struct Search {
  const Target& target;
  const FileBackedMemory memory{target};
  const std::vector<std::uint64_t> words = stack_words(target, searched_stack_bytes);
  std::vector<Text> found;
};

void add_text(Search& search, TextKind kind, std::string text, Address at) {
  if (search.found.size() >= most_candidates) return;
  const bool by_protobuf = kind == TextKind::failed_check && text.find("google/protobuf/") < text.find(": ");
  search.found.push_back({by_protobuf ? TextKind::protobuf_fatal : kind, std::move(text), at});
}

void add_line(Search& search, const Piece& piece, FoundLine line) {
  const Address start = piece.start + line.start;
  const auto stream = stream_of(search.memory, search.words, start);
  if (stream) line.end = std::min<std::size_t>(line.end, stream->end.value - piece.start.value);
  auto text = explanation(line.kind, piece.text().substr(line.start, line.end - line.start));
  if (!text) return;
  if (stream && stream->source) text = *stream->source + ": " + *text;
  add_text(search, line.kind, std::move(*text), start);
}

void add_from(Search& search, const Piece& piece) {
  const auto events = encoded_events(piece.text());
  for (const auto& event : events) add_text(search, TextKind::failed_check, event.text, piece.start + event.start);
  for (const auto& line : lines_that_explain(piece.text())) {
    const auto is_in = [&](const EncodedEvent& event) { return event.start <= line.start && line.start < event.end; };
    if (std::ranges::none_of(events, is_in)) add_line(search, piece, line);
  }
}

// The same message lies in several buffers, with and without its prefix, whole and cut short: the longest stays,
// where the first of them stood.
std::vector<Text> without_repeats(const std::vector<Text>& all) {
  std::vector<Text> kept;
  for (const auto& text : all) {
    const auto same = [&](const Text& other) {
      return other.text.find(text.text) != std::string::npos || text.text.find(other.text) != std::string::npos;
    };
    const auto known = std::ranges::find_if(kept, same);
    if (known == kept.end()) kept.push_back(text);
    else if (known->text.size() < text.text.size()) *known = text;
  }
  if (kept.size() > most_texts) kept.resize(most_texts);
  return kept;
}

}  // namespace

std::optional<Text> abort_message(const Target& target) {
  for (const auto& piece : libc_data(target))
    for (std::size_t at = 0; at + 8 <= piece.bytes.size(); at += 8)
      if (auto text = message_page(target, {piece.word(at)})) return text;
  return std::nullopt;
}

std::vector<Text> texts_of(const Target& target) {
  Search search{target};
  if (auto message = abort_message(target)) search.found.push_back(std::move(*message));
  for (const auto& piece : within_reach(target)) add_from(search, piece);
  return without_repeats(search.found);
}

std::optional<Text> stderr_tail(const Target& target) {
  const auto file = target.files.find("stderr_tail");
  if (file == target.files.end()) return std::nullopt;
  std::vector<std::string> lines;
  std::string_view rest = file->second;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    lines.push_back(as_shown(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  while (!lines.empty() && cleaned(lines.back()).empty()) lines.pop_back();
  if (lines.empty()) return std::nullopt;
  std::string tail;
  for (auto i = lines.size() - std::min(lines.size(), tail_lines); i < lines.size(); ++i) tail += lines[i] + '\n';
  tail.pop_back();
  return Text{TextKind::stderr_tail, std::move(tail), std::nullopt};
}

}  // namespace sigwhy::native
