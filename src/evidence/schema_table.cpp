#include "evidence/schema_table.h"

#include <fmt/format.h>
#include <rapidjson/document.h>

#include <set>

namespace sigwhy {

namespace {

using Schema = rapidjson::Value;

std::string text_of(const Schema& schema, const char* key) {
  return schema.HasMember(key) && schema[key].IsString() ? schema[key].GetString() : "";
}

// Cause ids and strengths are listed once, in the text around the table.
std::string type_of(const Schema& schema) {
  if (schema.HasMember("enum")) {
    constexpr unsigned most_listed = 12;
    if (schema["enum"].Size() > most_listed) return "a cause id";
    std::string names;
    for (const auto& name : schema["enum"].GetArray()) names += (names.empty() ? "`" : ", `") + std::string(name.GetString()) + "`";
    return names;
  }
  if (schema.HasMember("pattern")) return "address";
  if (schema.HasMember("$ref")) return "object, as `snapshot`";
  const auto type = text_of(schema, "type");
  if (type == "array") return "list of " + type_of(schema["items"]);
  if (type == "object" && schema.HasMember("additionalProperties") && schema["additionalProperties"].IsObject())
    return "map of " + type_of(schema["additionalProperties"]);
  return type;
}

// The object whose fields are described below this one, with what its path gains.
std::pair<const Schema*, std::string> inner(const Schema& schema) {
  if (schema.HasMember("properties")) return {&schema, ""};
  if (schema.HasMember("items") && schema["items"].HasMember("properties")) return {&schema["items"], "[]"};
  return {nullptr, ""};
}

// Nouns that appear in several places (an end, a source line) are written out once.
void add_rows(const Schema& object, const std::string& path, std::set<std::string>& written, std::string& table) {
  for (const auto& member : object["properties"].GetObject()) {
    const std::string name = member.name.GetString();
    const auto at = path.empty() ? name : path + "." + name;
    const auto [below, more] = inner(member.value);
    std::string keys;
    if (below)
      for (const auto& field : (*below)["properties"].GetObject()) keys += field.name.GetString() + std::string(" ");
    const bool again = below && !written.insert(keys).second;
    table += fmt::format("| `{}` | {}{} | {} |\n", at, type_of(member.value), again ? ", as above" : "", text_of(member.value, "description"));
    if (below && !again) add_rows(*below, at + more, written, table);
  }
}

}  // namespace

std::string schema_table(std::string_view json_schema) {
  rapidjson::Document schema;
  schema.Parse(json_schema.data(), json_schema.size());
  std::string table = "| field | type | meaning |\n|---|---|---|\n";
  std::set<std::string> written;
  if (schema.IsObject() && schema.HasMember("properties")) add_rows(schema, "", written, table);
  return table;
}

}  // namespace sigwhy
