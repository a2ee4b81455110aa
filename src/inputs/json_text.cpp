#include "inputs/json_text.h"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace sigwhy::inputs {

std::optional<JsonObjection> objection_to_json_object(const std::string& text) {
  rapidjson::Reader reader;
  rapidjson::BaseReaderHandler<> nothing;
  // Not a StringStream: its check of UTF-8 reads on behind the end of a text that breaks off within a character.
  rapidjson::MemoryStream stream(text.data(), text.size());
  constexpr auto flags = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag | rapidjson::kParseNanAndInfFlag;
  const auto result = reader.Parse<flags>(stream, nothing);
  if (result.IsError()) return JsonObjection{result.Offset(), rapidjson::GetParseError_En(result.Code())};
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '{') return JsonObjection{0, "it is no JSON object"};
  return std::nullopt;
}

}  // namespace sigwhy::inputs
