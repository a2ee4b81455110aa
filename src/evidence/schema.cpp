// The JSON Schema of a Case, from the same description that writes and reads it.
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "evidence/describe.h"
#include "evidence/json.h"
#include "evidence/names.h"

namespace sigwhy {

namespace {

using Writer = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

struct SchemaWriter {
  Writer& out;

  template <class T> void field(const char* name, T& member, const char* meaning) {
    out.Key(name);
    out.StartObject();
    out.Key("description");
    out.String(meaning);
    shape(member);
    out.EndObject();
  }

  void type(const char* name) {
    out.Key("type");
    out.String(name);
  }

  void shape(bool&) { type("boolean"); }
  void shape(int&) { type("integer"); }
  void shape(std::int64_t&) { type("integer"); }
  void shape(std::uint64_t&) { type("integer"); }
  void shape(double&) { type("number"); }
  void shape(std::string&) { type("string"); }
  void shape(Address&) {
    type("string");
    out.Key("pattern");
    out.String("^0x[0-9a-f]+$");
  }
  // A second snapshot looks like the first.
  void shape(std::optional<Snapshot>&) {
    out.Key("$ref");
    out.String("#/properties/snapshot");
  }
  template <class T> void shape(std::optional<T>&) {
    T inner{};
    shape(inner);
  }
  template <class T> void nested(const char* key) {
    T inner{};
    out.Key(key);
    out.StartObject();
    shape(inner);
    out.EndObject();
  }
  template <class T> void shape(std::vector<T>&) {
    type("array");
    nested<T>("items");
  }
  template <class T> void shape(std::map<std::string, T>&) {
    type("object");
    nested<T>("additionalProperties");
  }
  template <class T> void shape(T& x) {
    if constexpr (std::is_enum_v<T>) {
      type("string");
      out.Key("enum");
      out.StartArray();
      for (const auto& [value, name] : names(T{})) out.String(name.data(), static_cast<unsigned>(name.size()));
      out.EndArray();
    } else {
      type("object");
      out.Key("properties");
      out.StartObject();
      describe(*this, x);
      out.EndObject();
      // Strict here so that a test notices an undocumented field; readers themselves tolerate unknown ones.
      out.Key("additionalProperties");
      out.Bool(false);
    }
  }
};

}  // namespace

std::string case_schema() {
  rapidjson::StringBuffer buffer;
  Writer out(buffer);
  out.SetIndent(' ', 1);
  out.StartObject();
  out.Key("$schema");
  out.String("https://json-schema.org/draft/2020-12/schema");
  out.Key("title");
  out.String("sigwhy case");
  Case c;
  SchemaWriter{out}.shape(c);
  out.Key("required");
  out.StartArray();
  for (const char* name : {"schema", "id", "snapshot", "diagnosis"}) out.String(name);
  out.EndArray();
  out.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace sigwhy
