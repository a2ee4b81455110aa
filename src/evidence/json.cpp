// Writer and reader over describe.h. rapidjson does the syntax.
#include "evidence/json.h"

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <charconv>

#include "base/utf8.h"
#include "evidence/describe.h"
#include "evidence/describe_search.h"
#include "evidence/names.h"

namespace sigwhy {

namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

// Python 2 texts, lone surrogates, paths and arguments hold any bytes, while JSON is UTF-8. A byte that is none is
// written as reports draw it, so that a case that was read back is drawn the same.
std::string in_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const auto bytes = first_character(text).bytes;
    if (bytes) valid += text.substr(0, bytes);
    else valid += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    text.remove_prefix(bytes ? bytes : 1);
  }
  return valid;
}

enum class Bytes { as_utf8, exact };

struct JsonWriter {
  Writer& out;
  Bytes bytes;

  template <class T> void field(const char* name, T& member, const char*) {
    if constexpr (requires { member.has_value(); }) {
      if (!member) return;
      out.Key(name);
      value(*member);
    } else {
      out.Key(name);
      value(member);
    }
  }

  std::string shown(std::string_view s) const { return bytes == Bytes::exact ? std::string(s) : in_utf8(s); }
  void text(std::string_view s) {
    const auto written_as = shown(s);
    out.String(written_as.data(), static_cast<rapidjson::SizeType>(written_as.size()));
  }

  void value(bool x) { out.Bool(x); }
  void value(int x) { out.Int(x); }
  void value(std::int64_t x) { out.Int64(x); }
  void value(std::uint64_t x) { out.Uint64(x); }
  void value(double x) { out.Double(x); }
  void value(std::string& x) { text(x); }
  void value(Address x) {
    char buffer[19] = "0x";
    const auto end = std::to_chars(buffer + 2, buffer + sizeof buffer, x.value, 16).ptr;
    text({buffer, static_cast<std::size_t>(end - buffer)});
  }
  template <class T> void value(std::vector<T>& list) {
    out.StartArray();
    for (auto& item : list) value(item);
    out.EndArray();
  }
  template <class T> void value(std::map<std::string, T>& map) {
    out.StartObject();
    for (auto& [key, item] : map) {
      const auto name = shown(key);
      out.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
      value(item);
    }
    out.EndObject();
  }
  template <class T> void value(T& x) {
    if constexpr (std::is_enum_v<T>) {
      text(to_name(x));
    } else {
      out.StartObject();
      describe(*this, x);
      out.EndObject();
    }
  }
};

struct JsonReader {
  const rapidjson::Value& in;
  std::string& wrong;  // path of the first field of a wrong type

  template <class T> void field(const char* name, T& member, const char*) {
    const auto found = in.FindMember(name);
    if (found == in.MemberEnd()) return;
    if (!read(found->value, member) && wrong.empty()) wrong = name;
  }

  static bool scalar(const rapidjson::Value& v, bool& x) { return v.IsBool() && (x = v.GetBool(), true); }
  static bool scalar(const rapidjson::Value& v, int& x) { return v.IsInt() && (x = v.GetInt(), true); }
  static bool scalar(const rapidjson::Value& v, std::int64_t& x) { return v.IsInt64() && (x = v.GetInt64(), true); }
  static bool scalar(const rapidjson::Value& v, std::uint64_t& x) { return v.IsUint64() && (x = v.GetUint64(), true); }
  static bool scalar(const rapidjson::Value& v, double& x) { return v.IsNumber() && (x = v.GetDouble(), true); }
  static bool scalar(const rapidjson::Value& v, std::string& x) {
    return v.IsString() && (x.assign(v.GetString(), v.GetStringLength()), true);
  }
  static bool scalar(const rapidjson::Value& v, Address& x) {
    if (!v.IsString() || v.GetStringLength() < 3) return false;
    const char* end = v.GetString() + v.GetStringLength();
    return std::from_chars(v.GetString() + 2, end, x.value, 16).ptr == end;
  }

  template <class T> bool read(const rapidjson::Value& v, std::optional<T>& x) { return read(v, x.emplace()); }
  template <class T> bool read(const rapidjson::Value& v, std::vector<T>& list) {
    if (!v.IsArray()) return false;
    for (const auto& item : v.GetArray())
      if (!read(item, list.emplace_back())) return false;
    return true;
  }
  template <class T> bool read(const rapidjson::Value& v, std::map<std::string, T>& map) {
    if (!v.IsObject()) return false;
    for (const auto& item : v.GetObject())
      if (!read(item.value, map[std::string(item.name.GetString(), item.name.GetStringLength())])) return false;
    return true;
  }
  template <class T> bool read(const rapidjson::Value& v, T& x) {
    if constexpr (std::is_enum_v<T>) {
      if (!v.IsString()) return false;
      x = from_name<T>(v.GetString()).value_or(from_name<T>("unknown").value_or(T{}));
      return true;
    } else if constexpr (requires { scalar(v, x); }) {
      return scalar(v, x);
    } else {
      if (!v.IsObject()) return false;
      JsonReader inner{v, wrong};
      describe(inner, x);
      return true;
    }
  }
};

template <class T> std::string written(const T& x, Bytes bytes = Bytes::as_utf8) {
  rapidjson::StringBuffer buffer;
  Writer out(buffer);
  JsonWriter writer{out, bytes};
  // One description serves reading and writing, so it takes the value mutable; the writer never changes it.
  writer.value(const_cast<T&>(x));
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace

std::string to_json(const Case& c) { return written(c); }
// No other program reads it, and a re-run needs the very bytes.
std::string to_json(const Recipe& recipe) { return written(recipe, Bytes::exact); }
std::string to_json(const Search& search) { return written(search); }
std::string to_json(const CheckUp& check_up) { return written(check_up); }
std::string to_json(const Checked& checked) { return written(checked); }
std::string to_json(const Verification& verification) { return written(verification); }

// Iterative parsing: a file of a million brackets must not overflow our own stack.
static void parse(rapidjson::Document& document, std::string_view text) {
  document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
}

Result<Recipe> recipe_from_json(std::string_view text) {
  rapidjson::Document document;
  parse(document, text);
  if (document.HasParseError() || !document.IsObject()) return failure("this is not a recipe", "not valid JSON");
  Recipe recipe;
  std::string wrong;
  JsonReader reader{document, wrong};
  describe(reader, recipe);
  if (!wrong.empty()) return failure("this is not a recipe", "field \"" + wrong + "\" has a wrong type");
  if (recipe.argv.empty()) return failure("this is not a recipe", "it names no program");
  return recipe;
}

Result<Checked> checked_from_json(std::string_view text) {
  rapidjson::Document document;
  parse(document, text);
  if (document.HasParseError() || !document.IsObject()) return failure("this is no result of a check", "not valid JSON");
  Checked checked;
  std::string wrong;
  JsonReader reader{document, wrong};
  describe(reader, checked);
  if (!wrong.empty()) return failure("this is no result of a check", "field \"" + wrong + "\" has a wrong type");
  return checked;
}

Result<Case> case_from_json(std::string_view text) {
  rapidjson::Document document;
  parse(document, text);
  if (document.HasParseError())
    return failure("this is not a case: not valid JSON", rapidjson::GetParseError_En(document.GetParseError()));
  if (!document.IsObject() || !document.HasMember("snapshot"))
    return failure("this is not a case", "it has no snapshot");
  Case c;
  std::string wrong;
  JsonReader reader{document, wrong};
  describe(reader, c);
  if (!wrong.empty()) return failure("this is not a case", "field \"" + wrong + "\" has a wrong type");
  return c;
}

}  // namespace sigwhy
