// C++ protobuf keeps one table of all message types a process knows (DescriptorPool::generated_pool). Two copies with
// exported symbols share that table or each other's functions by accident; copies with hidden symbols do not meet.
// libtool sonames count by themselves up to 3.21 (libprotobuf.so.32 is 3.21.x); later ones are the version.
#include <charconv>

#include "inventory/family.h"

namespace sigwhy::inventory::families {

namespace {

struct Soname {
  int number;
  const char* release;
};
constexpr Soname libtool_releases[] = {{8, "2.5"},   {9, "2.6"},   {10, "3.0"},  {13, "3.3"},  {14, "3.4"},
                                       {15, "3.5"},  {17, "3.6"},  {18, "3.7"},  {19, "3.8"},  {20, "3.9"},
                                       {21, "3.10"}, {22, "3.11"}, {23, "3.12"}, {24, "3.13"}, {25, "3.14"},
                                       {26, "3.15"}, {27, "3.16"}, {28, "3.17"}, {29, "3.18"}, {30, "3.19"},
                                       {31, "3.20"}, {32, "3.21"}};

// "32.0.12" -> "3.21.12"; "25.1.0" as the whole soname -> "25.1.0"
std::optional<std::string> version_of(const LoadedFile& file) {
  constexpr std::string_view so = ".so.";
  const auto& soname = file.table.soname();
  const auto at = soname.find(so);
  const auto number_text = at == std::string::npos ? std::string() : soname.substr(at + so.size());
  if (number_text.find('.') != std::string::npos) return number_text;
  int number = 0;
  std::from_chars(number_text.data(), number_text.data() + number_text.size(), number);
  for (const auto& known : libtool_releases)
    if (known.number == number) {
      const auto patch = file.name.version.rfind('.');
      return known.release +
             (file.name.version.find('.') != patch ? file.name.version.substr(patch) : std::string());
    }
  return std::nullopt;
}

std::optional<Copy> recognise(const LoadedFile& file) {
  const auto& stem = file.name.stem;
  if (stem == "libprotobuf" || stem == "libprotobuf-lite")
    return Copy{.name = stem,
                .part = stem == "libprotobuf" ? "" : "lite",
                .version = version_of(file),
                .version_from = "soname and file name"};
  if (file.defines("_ZN6google8protobuf14DescriptorPool14generated_poolEv"))
    return Copy{.name = "protobuf", .built_in = true};
  return std::nullopt;
}

bool owns(std::string_view symbol) { return symbol.find("6google8protobuf") < 10; }

}  // namespace

extern const Family protobuf{.title = "protobuf", .recognise = recognise, .owns = owns};

}  // namespace sigwhy::inventory::families
