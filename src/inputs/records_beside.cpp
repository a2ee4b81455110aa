#include "inputs/records_beside.h"

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "inputs/file_bytes.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs {

namespace {

constexpr std::uint64_t most_shards = 100'000;

struct Path {
  std::string folder;  // with its slash; empty: the current one
  std::string name;
};

Path parted(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? Path{"", path} : Path{path.substr(0, slash + 1), path.substr(slash + 1)};
}

std::optional<std::uint64_t> number_in(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

struct Shard {
  std::uint64_t number = 0, of = 0;
  std::string before, behind;  // of the number, in the file's name
  std::size_t digits = 0;

  std::string name(std::uint64_t n) const { return fmt::format("{}{:0{}}{}", before, n, digits, behind); }
};

// "mnist-train.tfrecord-00003-of-00010", ".gz" or the like behind it.
std::optional<Shard> shard_in(const std::string& name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto of = name.rfind("-of-");
  if (of == std::string::npos) return std::nullopt;
  auto begin = of, end = of + 4;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  while (end < name.size() && is_digit(name[end])) ++end;
  const auto number = number_in(std::string_view(name).substr(begin, of - begin));
  const auto count = number_in(std::string_view(name).substr(of + 4, end - of - 4));
  if (!number || !count || begin == 0 || name[begin - 1] != '-' || *number >= *count || *count > most_shards) return std::nullopt;
  return Shard{*number, *count, name.substr(0, begin), name.substr(of), of - begin};
}

void look_for_others(const Path& path, const Shard& shard, RecordsBeside& beside) {
  std::vector<std::string> missing;
  for (std::uint64_t n = 0; n < shard.of; ++n)
    if (::access((path.folder + shard.name(n)).c_str(), F_OK) != 0) missing.push_back(shard.name(n));
  if (missing.empty()) return;
  const auto names = missing.size() == 1 ? shown(missing[0]) : fmt::format("the first is {}", shown(missing[0]));
  beside.remarks.push_back(fmt::format("of its set of {} shards {} not there: {}", shard.of,
                                       missing.size() == 1 ? "1 is" : fmt::format("{} are", missing.size()), names));
}

// The split whose name stands before ".tfrecord", the longest that does: "train" and "small_train" both fit the latter.
const rapidjson::Value* split_of(const rapidjson::Document& info, std::string_view file_name) {
  if (!info.IsObject() || !info.HasMember("splits") || !info["splits"].IsArray()) return nullptr;
  const auto stem = file_name.substr(0, file_name.find('.'));
  const rapidjson::Value* best = nullptr;
  std::size_t longest = 0;
  for (const auto& split : info["splits"].GetArray()) {
    if (!split.IsObject() || !split.HasMember("name") || !split["name"].IsString()) continue;
    const std::string_view name(split["name"].GetString(), split["name"].GetStringLength());
    if (name.size() <= longest || !stem.ends_with("-" + std::string(name))) continue;
    longest = name.size();
    best = &split;
  }
  return best;
}

std::optional<std::uint64_t> shard_length(const std::string& text, const std::string& file_name, const Shard& shard) {
  rapidjson::Document info;
  info.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (info.HasParseError()) return std::nullopt;
  const auto* split = split_of(info, file_name);
  if (!split || !split->HasMember("shardLengths") || !(*split)["shardLengths"].IsArray()) return std::nullopt;
  const auto& lengths = (*split)["shardLengths"];
  if (lengths.Size() != shard.of) return std::nullopt;
  const auto& length = lengths[static_cast<rapidjson::SizeType>(shard.number)];
  if (length.IsUint64()) return length.GetUint64();
  return length.IsString() ? number_in({length.GetString(), length.GetStringLength()}) : std::nullopt;
}

// "0 1234\n1234 560\n": where each record begins and how long it is. Absent: this is something else.
std::optional<std::uint64_t> lines_of_index(std::string_view text) {
  std::uint64_t lines = 0, expected = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    const auto blank = line.find(' ');
    if (end == std::string_view::npos || blank == std::string_view::npos) return std::nullopt;
    const auto offset = number_in(line.substr(0, blank)), bytes = number_in(line.substr(blank + 1));
    if (!offset || !bytes || *offset != expected || __builtin_add_overflow(*offset, *bytes, &expected)) return std::nullopt;
    ++lines;
    text.remove_prefix(end + 1);
  }
  return lines > 0 ? std::optional(lines) : std::nullopt;
}

std::string text_of(const std::string& path) {
  const auto file = FileBytes::open(path);
  return file && file->bytes() <= longest_buffer ? file->text(0, file->bytes()) : "";
}

}  // namespace

RecordsBeside records_beside(const std::string& path) {
  RecordsBeside beside;
  const auto place = parted(path);
  const auto shard = shard_in(place.name);
  if (shard) {
    look_for_others(place, *shard, beside);
    beside.source = "dataset_info.json";
    beside.records = shard_length(text_of(place.folder + beside.source), place.name, *shard);
    if (beside.records) return beside;
  }
  const auto stem = place.name.substr(0, place.name.rfind('.'));
  for (const auto& name : {place.name + ".idx", place.name + ".index", stem + ".idx"}) {
    beside.source = shown(name);
    beside.records = lines_of_index(text_of(place.folder + name));
    if (beside.records) return beside;
  }
  return beside;
}

}  // namespace sigwhy::inputs
