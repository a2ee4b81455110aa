#include "inputs/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/count_text.h"
#include "inputs/little_endian.h"
#include "inputs/verdict.h"
#include "inputs/zip_fields.h"

namespace sigwhy::inputs {

namespace {

constexpr std::uint64_t longest_comment = 0xffff;
constexpr std::string_view zip64_end_magic = "PK\x06\x06", zip64_locator_magic = "PK\x06\x07";
constexpr std::uint64_t zip64_locator_bytes = 20, zip64_end_bytes = 56;

struct End {
  std::uint64_t at = 0;  // of the first end record: the directory lies before it
  std::uint64_t entries = 0, directory_bytes = 0, directory_at = 0;
  std::uint64_t entries_at = 0, directory_bytes_at = 0, directory_at_at = 0;  // where they stand
  std::uint64_t prefix_bytes = 0;
  std::optional<Flaw> flaw;
};

Flaw flaw_at(std::uint64_t offset, std::string where, std::string what) {
  return {.offset = offset, .where = std::move(where), .what = std::move(what)};
}

std::uint64_t number(std::string_view bytes, std::uint64_t at, std::uint64_t size) { return little_endian(bytes.substr(at, size)); }

// The zip64 end record stands in for the short one where there is a locator between them.
void read_zip64_end(const FileBytes& file, End& end) {
  if (end.at < zip64_locator_bytes) return;
  const auto locator_at = end.at - zip64_locator_bytes;
  const auto locator = file.text(locator_at, zip64_locator_bytes);
  if (!locator.starts_with(zip64_locator_magic)) return;
  const auto at = number(locator, 8, 8);
  const auto record = file.text(at, zip64_end_bytes);
  if (at > locator_at || !record.starts_with(zip64_end_magic) || record.size() < zip64_end_bytes) {
    end.flaw = flaw_at(locator_at + 8, "zip64 locator", fmt::format("no zip64 end record stands at byte {}", grouped_digits(at)));
    return;
  }
  end = {.at = at,
         .entries = number(record, 32, 8),
         .directory_bytes = number(record, 40, 8),
         .directory_at = number(record, 48, 8),
         .entries_at = at + 32,
         .directory_bytes_at = at + 40,
         .directory_at_at = at + 48};
}

End read_end(const FileBytes& file) {
  const auto tail_bytes = std::min(file.bytes(), longest_comment + zip_end_bytes);
  const auto tail_at = file.bytes() - tail_bytes;
  const auto tail = file.text(tail_at, tail_bytes);
  const auto found = tail.rfind(zip_end_magic);
  if (found == std::string::npos || tail.size() - found < zip_end_bytes) return {.flaw = flaw_of_zip_without_end(file)};
  const auto record = std::string_view(tail).substr(found);
  const auto at = tail_at + found;
  const auto comment = number(record, 20, 2);
  End end{.at = at,
          .entries = number(record, 10, 2),
          .directory_bytes = number(record, 12, 4),
          .directory_at = number(record, 16, 4),
          .entries_at = at + 10,
          .directory_bytes_at = at + 12,
          .directory_at_at = at + 16};
  if (comment != record.size() - zip_end_bytes) {
    // The end record of an archive inside a cut archive looks the same; walking from the start tells.
    const auto cut = flaw_of_zip_without_end(file);
    end.flaw = cut.offset == at || cut.where == "end record"
                   ? flaw_at(at + 20, "end record, length of the comment",
                             fmt::format("it says {}, {} follow", grouped_digits(comment), counted(record.size() - zip_end_bytes, "byte")))
                   : cut;
    return end;
  }
  if (number(record, 4, 2) != 0) end.flaw = flaw_at(at + 4, "end record, number of this disk", "the archive is split over several files");
  else if (number(record, 6, 2) != 0) end.flaw = flaw_at(at + 6, "end record, disk of the directory", "the archive is split over several files");
  else if (number(record, 8, 2) != end.entries)
    end.flaw = flaw_at(at + 8, "end record, entries on this disk", fmt::format("it says {}, of all {}", number(record, 8, 2), end.entries));
  else read_zip64_end(file, end);
  return end;
}

bool stands(const FileBytes& file, std::uint64_t at, std::string_view magic) { return file.text(at, magic.size()) == magic; }

// The directory must end where the end record begins. Which of its two numbers is wrong if not?
std::optional<Flaw> flaw_of_end(const FileBytes& file, const End& end) {
  std::uint64_t behind = 0;
  if (!__builtin_add_overflow(end.directory_at, end.directory_bytes, &behind) && behind == end.at) return std::nullopt;
  const bool by_place = end.directory_at < end.at && stands(file, end.directory_at, zip_directory_magic);
  const bool by_size = end.directory_bytes <= end.at && stands(file, end.at - end.directory_bytes, zip_directory_magic);
  if (by_size && !by_place)
    return flaw_at(end.directory_at_at, "end record, place of the directory",
                   fmt::format("it says byte {}, the directory begins at byte {}", grouped_digits(end.directory_at),
                               grouped_digits(end.at - end.directory_bytes)));
  if (by_place)
    return flaw_at(end.directory_bytes_at, "end record, size of the directory",
                   fmt::format("it says {}, the directory has {}", grouped_digits(end.directory_bytes), grouped_digits(end.at - end.directory_at)));
  return flaw_at(end.directory_at_at, "end record, place of the directory",
                 fmt::format("no directory stands at byte {}", grouped_digits(end.directory_at)));
}

// A program in front of an archive shifts all of it by as many bytes: the directory, and the header that its first
// entry leads to. A wrong number in the end record alone would leave that header where it was.
std::uint64_t prefix_of(const FileBytes& file, const End& end) {
  if (end.directory_bytes > end.at || end.directory_at >= end.at - end.directory_bytes) return 0;
  const auto shift = end.at - end.directory_bytes - end.directory_at;
  if (stands(file, 0, zip_magic) || !stands(file, end.directory_at + shift, zip_directory_magic)) return 0;
  const auto first = read_directory_entry(file, end.directory_at + shift);
  return !first.flaw && stands(file, first.header_at + shift, zip_magic) ? shift : 0;
}

void read_directory(const FileBytes& file, const End& end, ZipArchive& archive) {
  auto at = end.directory_at;
  while (at < end.at) {
    const auto entry = read_directory_entry(file, at);
    if ((archive.flaw = entry.flaw)) return;
    if (entry.fields.end > end.at) {
      archive.flaw = flaw_at(at + 28, "entry in the directory", "its name, extra field or comment reaches past the directory");
      return;
    }
    archive.members.push_back(
        {.entry = entry.fields, .header_at = entry.header_at + end.prefix_bytes, .header_at_at = entry.header_at_at});
    at = entry.fields.end;
  }
  if (archive.members.size() != end.entries)
    archive.flaw = flaw_at(end.entries_at, "end record, entries",
                           fmt::format("it says {}, the directory has {}", grouped_digits(end.entries), grouped_digits(archive.members.size())));
}

Flaw wrong_place(const ZipMember& member, std::string what) {
  return flaw_at(member.header_at_at, fmt::format("entry of {} in the directory, place of its header", shown(member.entry.name)), std::move(what));
}

// Where the member behind `before` begins, if it is this one: sizes may follow the data, in several lengths.
std::optional<std::uint64_t> found_behind(const FileBytes& file, const ZipMember* before, const ZipMember& member) {
  for (const std::uint64_t gap : {0, 12, 16, 20, 24}) {
    const auto at = before ? before->local.end + before->entry.packed_bytes + gap : 0;
    if (stands(file, at, zip_magic) && read_local_header(file, at).fields.name == member.entry.name) return at;
    if (!before) break;
  }
  return std::nullopt;
}

std::optional<Flaw> read_local(const FileBytes& file, const ZipMember* before, std::uint64_t directory_at, ZipMember& member) {
  const auto header = read_local_header(file, member.header_at);
  const auto name = shown(member.entry.name);
  if (header.flaw || header.fields.name != member.entry.name) {
    if (const auto at = found_behind(file, before, member); at && *at != member.header_at)
      return wrong_place(member, fmt::format("it says byte {}, the header begins at byte {}", grouped_digits(member.header_at), grouped_digits(*at)));
    if (member.header_at + zip_local_bytes > directory_at || member.header_at > directory_at)
      return wrong_place(member, fmt::format("no header can stand at byte {}", grouped_digits(member.header_at)));
  }
  member.local = header.fields;
  if (header.flaw) {
    auto flaw = *header.flaw;
    flaw.where += " of " + name;
    return flaw;
  }
  if (header.fields.name == member.entry.name) return std::nullopt;
  const auto& other = header.fields.name;
  const auto differs = std::ranges::mismatch(other, member.entry.name).in1 - other.begin();
  return flaw_at(header.fields.name_at + static_cast<std::uint64_t>(differs), "name in a member's header",
                 fmt::format("it is {}, the directory says {}", shown(other), name));
}

// In the order of the file each has the room until the next header, or until the directory.
std::optional<Flaw> read_locals(const FileBytes& file, ZipArchive& archive) {
  std::vector<ZipMember*> order;
  for (auto& member : archive.members) {
    if (auto flaw = read_local(file, order.empty() ? nullptr : order.back(), archive.directory_at, member)) return flaw;
    order.push_back(&member);
  }
  std::ranges::stable_sort(order, {}, [](const ZipMember* m) { return m->header_at; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto& member = *order[i];
    const bool last = i + 1 == order.size();
    const auto next = last ? archive.directory_at : order[i + 1]->header_at;
    if (next < member.local.end)
      return wrong_place(last ? member : *order[i + 1], last ? "it reaches into the directory" : fmt::format("its bytes are those of {} too", shown(member.entry.name)));
    member.room_bytes = next - member.header_at;
  }
  return std::nullopt;
}

}  // namespace

const ZipMember* ZipArchive::find(std::string_view name) const {
  const auto found = std::ranges::find_if(members, [&](const ZipMember& m) { return m.entry.name == name; });
  return found == members.end() ? nullptr : &*found;
}

ZipArchive read_zip(const FileBytes& file) {
  ZipArchive archive;
  auto end = read_end(file);
  archive.flaw = end.flaw;
  if (!archive.flaw) archive.prefix_bytes = end.prefix_bytes = prefix_of(file, end);
  end.directory_at += end.prefix_bytes;
  if (!archive.flaw) archive.flaw = flaw_of_end(file, end);
  if (archive.flaw) return archive;
  archive.directory_at = end.directory_at;
  read_directory(file, end, archive);
  if (!archive.flaw) archive.flaw = read_locals(file, archive);
  return archive;
}

std::string in_archive(const ZipMember& member) { return shown(member.entry.name) + " in the archive"; }

std::string_view first_zip_member(std::string_view first) {
  if (!first.starts_with(zip_magic) || first.size() < zip_local_bytes) return {};
  const auto length = number(first, 26, 2);
  return first.substr(zip_local_bytes, length);
}

}  // namespace sigwhy::inputs
