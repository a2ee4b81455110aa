// A member's data against what its two headers say of them. Where the headers differ, the data tell which is wrong.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <vector>

#include "base/count_text.h"
#include "inputs/flipped_bit.h"
#include "inputs/inflate.h"
#include "inputs/little_endian.h"
#include "inputs/verdict.h"
#include "inputs/zip_archive.h"

namespace sigwhy::inputs {

namespace {

constexpr std::uint16_t stored = 0, deflated = 8;
constexpr std::uint16_t encrypted_flag = 1, sizes_follow_flag = 8;
constexpr std::uint64_t piece_bytes = 256 << 10;

Flaw flaw_at(std::uint64_t offset, std::string where, std::string what) {
  return {.offset = offset, .where = std::move(where), .what = std::move(what)};
}

// What the data turned out to be.
struct Data {
  std::uint16_t method = stored;
  std::uint64_t packed_bytes = 0, bytes = 0;
  std::uint32_t crc = 0;
};

bool sizes_follow(const ZipMember& member) { return member.local.flags & sizes_follow_flag; }

std::string local_field(const ZipMember& member, std::string_view field) {
  return fmt::format("header of {}, {}", shown(member.entry.name), field);
}

std::string entry_field(const ZipMember& member, std::string_view field) {
  return fmt::format("entry of {} in the directory, {}", shown(member.entry.name), field);
}

std::string data_of(const ZipMember& member) { return "data of " + shown(member.entry.name); }

bool is_known(std::uint16_t method) { return method == stored || method == deflated; }

// The two headers' methods differ: stored data are as long packed as not.
std::uint16_t likely_method(const ZipMember& member) {
  const auto &local = member.local, &entry = member.entry;
  if (local.method == entry.method) return local.method;
  if (is_known(local.method) != is_known(entry.method)) return is_known(local.method) ? local.method : entry.method;
  return entry.packed_bytes == entry.bytes ? stored : deflated;
}

// The size that ends where the next header begins, where the two differ.
std::uint64_t likely_packed_bytes(const ZipMember& member) {
  const auto header_bytes = member.local.end - member.local.at;
  const auto &local = member.local, &entry = member.entry;
  if (!sizes_follow(member) && header_bytes + local.packed_bytes == member.room_bytes) return local.packed_bytes;
  return entry.packed_bytes;
}

template <class Value>
std::optional<Flaw> compared(const ZipMember& member, std::string_view field, Value ZipFields::*value, std::uint64_t ZipFields::*at,
                             Value actual, bool local_holds_it) {
  const auto say = [&](Value written) { return fmt::format("it says {}, it is {}", grouped_digits(written), grouped_digits(actual)); };
  if (local_holds_it && member.local.*value != actual) return flaw_at(member.local.*at, local_field(member, field), say(member.local.*value));
  if (member.entry.*value != actual) return flaw_at(member.entry.*at, entry_field(member, field), say(member.entry.*value));
  return std::nullopt;
}

using Use = std::function<void(std::span<const char>)>;

void take(Data& data, std::span<const char> piece, const Use& use) {
  data.crc = static_cast<std::uint32_t>(crc32(data.crc, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size())));
  data.bytes += piece.size();
  use(piece);
}

void read_stored(const FileBytes& file, std::uint64_t at, Data& data, const Use& use) {
  std::vector<char> piece(std::min(piece_bytes, data.packed_bytes));
  while (data.bytes < data.packed_bytes) {
    const auto got = file.read(at + data.bytes, std::span(piece).first(std::min<std::uint64_t>(piece.size(), data.packed_bytes - data.bytes)));
    if (got == 0) return;
    take(data, std::span<const char>(piece).first(got), use);
  }
}

std::optional<Flaw> read_deflated(const FileBytes& file, const ZipMember& member, Data& data, const Use& use) {
  const auto at = member.local.end;
  const auto most = std::max(member.local.bytes, member.entry.bytes);  // a bomb is not unpacked beyond what it admits
  Inflate inflate(file, at, data.packed_bytes);
  for (auto piece = inflate.next(); !piece.empty(); piece = inflate.next()) {
    take(data, piece, use);
    if (data.bytes > most)
      return flaw_at(member.entry.bytes_at, entry_field(member, "size"), fmt::format("it says {}, more come out", grouped_digits(most)));
  }
  if (inflate.cut())
    return flaw_at(at + data.packed_bytes, data_of(member), fmt::format("they end without an end mark, {} after inflating", counted(data.bytes, "byte")));
  if (!inflate.ended())
    return flaw_at(inflate.position(), data_of(member), fmt::format("they cannot go on here ({}): the damage lies between byte {} and here",
                                                                    inflate.objection(), grouped_digits(at)));
  if (inflate.position() != at + data.packed_bytes)
    return flaw_at(inflate.position(), data_of(member), fmt::format("they end after {} of {}", grouped_digits(inflate.position() - at),
                                                                    counted(data.packed_bytes, "byte")));
  return std::nullopt;
}

std::optional<Flaw> flaw_of_crc(const ZipMember& member, const Data& data) {
  const auto &local = member.local, &entry = member.entry;
  const bool local_fits = local.crc == data.crc || (sizes_follow(member) && local.crc == 0), entry_fits = entry.crc == data.crc;
  const auto say = [&](std::uint32_t written) { return fmt::format("it is {:#010x}, the data give {:#010x}", written, data.crc); };
  if (local_fits && entry_fits) return std::nullopt;
  if (entry_fits) return flaw_at(local.crc_at, local_field(member, "checksum"), say(local.crc));
  if (local_fits && !sizes_follow(member)) return flaw_at(entry.crc_at, entry_field(member, "checksum"), say(entry.crc));
  const auto bit = data.method == stored ? flipped_bit_text(entry.crc ^ data.crc, local.end, data.bytes, crc32_polynomial) : "";
  return flaw_at(local.end, data_of(member),
                 fmt::format("their checksum is {:#010x}, the {} give {:#010x}{}", entry.crc, counted(data.bytes, "byte"), data.crc, bit));
}

}  // namespace

std::string_view other_packing(const ZipMember& member) {
  if (member.local.method != member.entry.method) return {};
  switch (member.entry.method) {
    case 12: return "bzip2";
    case 14: return "LZMA";
    case 93: return "Zstandard";
    default: return {};
  }
}

std::string packed_otherwise(const ZipArchive& archive) {
  const auto is_so = [](const ZipMember& member) { return !other_packing(member).empty(); };
  const auto first = std::ranges::find_if(archive.members, is_so);
  if (first == archive.members.end()) return {};
  if (std::ranges::all_of(archive.members, is_so))
    return fmt::format("its data are packed by {}, which is not unpacked here", other_packing(*first));
  return fmt::format("{} of its {} packed by {}, which is not unpacked here; the rest of it is sound",
                     grouped_digits(static_cast<std::uint64_t>(std::ranges::count_if(archive.members, is_so))),
                     counted(archive.members.size(), "member") + " are", other_packing(*first));
}

std::optional<Flaw> check_zip_data(const FileBytes& file, const ZipMember& member, const Use& use) {
  const auto at = member.local.end;
  if ((member.local.flags | member.entry.flags) & encrypted_flag)
    return flaw_at(member.local.at + 6, local_field(member, "flags"), "it is marked as encrypted");
  Data data{.method = likely_method(member), .packed_bytes = likely_packed_bytes(member)};
  if (!is_known(data.method))
    return flaw_at(member.local.method_at, local_field(member, "method"), fmt::format("method {} is not one that these files use", data.method));
  if (auto flaw = compared(member, "method", &ZipFields::method, &ZipFields::method_at, data.method, true)) return flaw;
  if (at - member.local.at + data.packed_bytes > member.room_bytes || data.packed_bytes > file.bytes())
    return flaw_at(member.entry.packed_at, entry_field(member, "packed size"),
                   fmt::format("{} do not fit before what comes next", counted(data.packed_bytes, "byte")));
  const bool in_local = !sizes_follow(member);
  if (auto flaw = compared(member, "packed size", &ZipFields::packed_bytes, &ZipFields::packed_at, data.packed_bytes, in_local)) return flaw;
  if (data.method == stored) read_stored(file, at, data, use);
  else if (auto flaw = read_deflated(file, member, data, use)) return flaw;
  if (data.method == stored && data.bytes < data.packed_bytes) return flaw_at(at + data.bytes, data_of(member), "the file was cut while it was read");
  if (auto flaw = flaw_of_crc(member, data)) return flaw;
  return compared(member, "size", &ZipFields::bytes, &ZipFields::bytes_at, data.bytes, in_local);
}

}  // namespace sigwhy::inputs
