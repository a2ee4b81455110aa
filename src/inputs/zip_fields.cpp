#include "inputs/zip_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/count_text.h"
#include "inputs/little_endian.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs {

namespace {

constexpr std::uint64_t in_zip64 = 0xffffffff;
constexpr std::uint64_t zip64_id = 1;

Flaw flaw_at(std::uint64_t offset, std::string where, std::string what) {
  return {.offset = offset, .where = std::move(where), .what = std::move(what)};
}

std::uint64_t number(std::string_view bytes, std::uint64_t at, std::uint64_t size) { return little_endian(bytes.substr(at, size)); }

// Places in a header: of a local one, and of an entry in the directory.
struct Layout {
  std::string_view magic;
  const char* title;
  std::uint64_t fixed_bytes, flags, method, crc, packed, bytes, name_length, extra_length;
  std::uint64_t comment_length, header_at;  // 0: it has none
};

constexpr Layout local_layout{zip_magic, "header", zip_local_bytes, 6, 8, 14, 18, 22, 26, 28, 0, 0};
constexpr Layout entry_layout{zip_directory_magic, "entry in the directory", zip_entry_bytes, 8, 10, 16, 20, 24, 28, 30, 32, 42};

struct Wide {
  std::uint64_t* value;
  std::uint64_t* at;
};

// The zip64 field holds, one behind the other, only those whose short field is full of ones.
std::optional<Flaw> read_zip64(std::string_view extra, std::uint64_t extra_at, std::span<const Wide> wanted) {
  while (extra.size() >= 4) {
    const auto id = number(extra, 0, 2), size = number(extra, 2, 2);
    if (size > extra.size() - 4) return flaw_at(extra_at + 2, "extra field", "its length reaches past the header");
    if (id == zip64_id) {
      std::uint64_t at = 4;
      for (const auto& field : wanted) {
        if (*field.value != in_zip64) continue;
        if (at + 8 > 4 + size) return flaw_at(extra_at + 2, "zip64 field", "it is too short for what it must hold");
        *field.value = number(extra, at, 8);
        *field.at = extra_at + at;
        at += 8;
      }
      return std::nullopt;
    }
    extra.remove_prefix(4 + size);
    extra_at += 4 + size;
  }
  return std::nullopt;
}

ZipHeader read_header(const FileBytes& file, std::uint64_t at, const Layout& layout) {
  ZipHeader header;
  auto& fields = header.fields;
  fields.at = at;
  const auto bytes = file.text(at, layout.fixed_bytes);
  if (!bytes.starts_with(layout.magic.substr(0, std::min(bytes.size(), layout.magic.size())))) {
    header.flaw = flaw_at(at, layout.title, "no such header stands here");
    return header;
  }
  if (bytes.size() < layout.fixed_bytes) {
    header.flaw = flaw_at(at + bytes.size(), layout.title, fmt::format("it ends after {} of {} bytes", bytes.size(), layout.fixed_bytes));
    return header;
  }
  fields.flags = static_cast<std::uint16_t>(number(bytes, layout.flags, 2));
  fields.method = static_cast<std::uint16_t>(number(bytes, layout.method, 2));
  fields.crc = static_cast<std::uint32_t>(number(bytes, layout.crc, 4));
  fields.packed_bytes = number(bytes, layout.packed, 4);
  fields.bytes = number(bytes, layout.bytes, 4);
  fields.method_at = at + layout.method;
  fields.crc_at = at + layout.crc;
  fields.packed_at = at + layout.packed;
  fields.bytes_at = at + layout.bytes;
  fields.name_at = at + layout.fixed_bytes;
  const auto name_bytes = number(bytes, layout.name_length, 2), extra_bytes = number(bytes, layout.extra_length, 2);
  const auto comment_bytes = layout.comment_length ? number(bytes, layout.comment_length, 2) : 0;
  const auto names = file.text(fields.name_at, name_bytes + extra_bytes);
  fields.end = fields.name_at + name_bytes + extra_bytes + comment_bytes;
  if (names.size() < name_bytes + extra_bytes || fields.end > file.bytes()) {
    header.flaw = flaw_at(file.bytes(), layout.title, "the file ends in its name, extra field or comment");
    return header;
  }
  fields.name = names.substr(0, name_bytes);
  std::vector<Wide> wide{{&fields.bytes, &fields.bytes_at}, {&fields.packed_bytes, &fields.packed_at}};
  if (layout.header_at) {
    header.header_at = number(bytes, layout.header_at, 4);
    header.header_at_at = at + layout.header_at;
    wide.push_back({&header.header_at, &header.header_at_at});
  }
  header.flaw = read_zip64(std::string_view(names).substr(name_bytes), fields.name_at + name_bytes, wide);
  if (header.flaw) header.flaw->where = fmt::format("{}, {} of {}", header.flaw->where, layout.title, shown(fields.name));
  return header;
}

}  // namespace

ZipHeader read_local_header(const FileBytes& file, std::uint64_t at) { return read_header(file, at, local_layout); }
ZipHeader read_directory_entry(const FileBytes& file, std::uint64_t at) { return read_header(file, at, entry_layout); }

Flaw flaw_of_zip_without_end(const FileBytes& file) {
  constexpr std::uint16_t sizes_follow = 8;
  std::uint64_t at = 0, members = 0, entries = 0;
  const auto stands = [&](std::string_view magic) { return file.text(at, magic.size()) == magic; };
  while (at < file.bytes() && stands(zip_magic)) {
    const auto header = read_local_header(file, at);
    const auto& fields = header.fields;
    if (header.flaw) return *header.flaw;
    if (fields.flags & sizes_follow && fields.packed_bytes == 0)
      return flaw_at(file.bytes(), shown(fields.name), "the file has no directory; it ends in this member or later");
    const auto left = file.bytes() - fields.end;
    if (fields.packed_bytes > left)
      return flaw_at(file.bytes(), fmt::format("data of {}", shown(fields.name)),
                     fmt::format("it ends after {} of {}, and the directory is missing", grouped_digits(left), counted(fields.packed_bytes, "byte")));
    at = fields.end + fields.packed_bytes;
    ++members;
  }
  while (at < file.bytes() && stands(zip_directory_magic)) {
    const auto entry = read_directory_entry(file, at);
    if (entry.flaw) return *entry.flaw;
    at = entry.fields.end;
    ++entries;
  }
  const auto left = file.text(at, 4);
  if (left.size() == 4 || !zip_end_magic.starts_with(left)) {
    const bool at_end = left == zip_end_magic;
    if (at_end) return flaw_at(file.bytes(), "end record", "the file ends in it");
    return flaw_at(at, entries > 0 ? "end record" : "header",
                   fmt::format("no header stands here, behind {} and {} in the directory", counted(members, "member"), counted(entries, "entrie")));
  }
  return flaw_at(file.bytes(), entries > 0 ? "end record" : "directory",
                 fmt::format("the file ends here, behind {}", entries > 0 ? fmt::format("{} of the directory", entries == 1 ? "1 entry" : grouped_digits(entries) + " entries")
                                                                          : counted(members, "member")));
}

}  // namespace sigwhy::inputs
