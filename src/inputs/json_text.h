// JSON inside a hostile file: is it whole, and where does it stop being JSON?
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace sigwhy::inputs {

struct JsonObjection {
  std::uint64_t offset = 0;  // in the text
  std::string what;
};

// Absent: it is one JSON object.
std::optional<JsonObjection> objection_to_json_object(const std::string& text);

}  // namespace sigwhy::inputs
