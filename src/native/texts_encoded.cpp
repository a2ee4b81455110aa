#include "native/texts_encoded.h"

#include <optional>

#include "base/byte_reader.h"
#include "native/texts_clean.h"
#include "native/texts_line.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_path_bytes = 512;
constexpr std::size_t most_message_bytes = 4096;
constexpr std::size_t most_events = 16;
constexpr std::uint64_t fatal_severity = 1100;

enum Tag : std::uint64_t {
  file_name = 2 << 3 | 2,
  file_line = 3 << 3,
  time_ns = 4 << 3,
  severity = 5 << 3,
  thread_id = 6 << 3,
  value = 7 << 3 | 2,
  value_text = 1 << 3 | 2,
  value_literal = 6 << 3 | 2,
};

std::uint64_t varint(ByteReader& in) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = in.read<std::uint8_t>();
    number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
  in.take(~std::size_t{0});  // longer than any number: fail
  return 0;
}

std::string_view counted(ByteReader& in) { return in.take_text(varint(in)); }

struct Event {
  std::string_view file;
  std::uint64_t line = 0;
  std::uint64_t severity_level = 0;
  std::string message;
};

void add_value(std::string_view bytes, Event& event) {
  ByteReader in(std::as_bytes(std::span(bytes)));
  const auto tag = varint(in);
  const auto text = counted(in);
  if (!in.failed() && (tag == value_text || tag == value_literal)) event.message += text;
}

// One field; false where the event ends.
bool read_field(ByteReader& in, Event& event) {
  switch (varint(in)) {
    case file_name: event.file = counted(in); break;
    case file_line: event.line = varint(in); break;
    case severity: event.severity_level = varint(in); break;
    case time_ns:
    case thread_id: varint(in); break;
    case value: add_value(counted(in), event); break;
    default: return false;
  }
  return !in.failed() && event.message.size() < most_message_bytes;
}

std::optional<EncodedEvent> event_at(std::string_view bytes, std::size_t start) {
  ByteReader in(std::as_bytes(std::span(bytes)).subspan(start));
  Event event;
  std::size_t end = 0;
  while (read_field(in, event)) end = in.position();
  const bool is_one = event.file.size() <= most_path_bytes && names_source(event.file) && event.line > 0 &&
                      event.severity_level == fatal_severity;
  const auto message = cleaned(event.message);
  if (!is_one || message.empty()) return std::nullopt;
  return EncodedEvent{start, start + end, std::string(event.file) + ":" + std::to_string(event.line) + ": " + message};
}

// The name is short and readable, the line follows: sorts out nearly every other byte of this value.
bool may_start_event(std::string_view bytes, std::size_t at) {
  if (bytes.size() - at < 8) return false;
  ByteReader in(std::as_bytes(std::span(bytes)).subspan(at + 1));
  const auto file = counted(in);
  return !in.failed() && file.size() <= most_path_bytes && names_source(file) && varint(in) == file_line;
}

}  // namespace

std::vector<EncodedEvent> encoded_events(std::string_view bytes) {
  std::vector<EncodedEvent> events;
  constexpr char first = file_name;
  for (auto at = bytes.find(first); at != std::string_view::npos && events.size() < most_events;
       at = bytes.find(first, at + 1)) {
    if (!may_start_event(bytes, at)) continue;
    if (auto event = event_at(bytes, at)) {
      at = event->end - 1;
      events.push_back(std::move(*event));
    }
  }
  return events;
}

}  // namespace sigwhy::native
