#include "diagnose/large_message.h"

#include <fmt/format.h>

#include "diagnose/array_words.h"
#include "diagnose/line_values.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::uint64_t most_bytes = (std::uint64_t{1} << 31) - 1;

bool is_of_protobuf(const PyException& e) {
  return (e.type.find("google.protobuf") != std::string::npos && is_a(e, {"EncodeError", "DecodeError"})) ||
         (is_a(e, {"ValueError"}) && has_any(e.message, {"exceeds maximum protobuf size"}));
}

}  // namespace

std::optional<LargeMessage> large_message(const Facts& f) {
  if (!f.failure) return std::nullopt;
  for (const auto at : f.failure->told) {
    const auto& e = f.snapshot.python_exceptions[at];
    if (!is_of_protobuf(e)) continue;
    if (is_a(e, {"ValueError"})) return LargeMessage{"the message is larger", {ref(fmt::format("/python_exceptions/{}", at))}};
    for (std::size_t i = 0; i < e.traceback.size(); ++i)
      for (const auto& value : values_of_frame(f, {at, i}))
        if (const auto name = class_name(value.type); value.length.value_or(0) > most_bytes && (name == "bytes" || name == "bytearray"))
          return LargeMessage{fmt::format("`{}` has {} bytes", value.name, count_text(*value.length)), evidence_of(value)};
  }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose
