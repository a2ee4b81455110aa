// A zip archive: members, each with a local header in front of its data; the directory of all of them; an end record
// that says where the directory lies. Sizes and the CRC-32 stand twice, which tells a wrong field from wrong data.
// Sizes from 4 GiB on, and all that NumPy writes, stand in "zip64" extra fields.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/input.h"
#include "inputs/file_bytes.h"

namespace sigwhy::inputs {

inline constexpr std::string_view zip_magic = "PK\x03\x04", zip_directory_magic = "PK\x01\x02", zip_end_magic = "PK\x05\x06";

// What a header says of a member, and where in the file each of it stands.
struct ZipFields {
  std::uint64_t at = 0;  // of the header
  std::uint64_t end = 0;
  std::uint16_t flags = 0, method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed_bytes = 0, bytes = 0;
  std::uint64_t crc_at = 0, method_at = 0, packed_at = 0, bytes_at = 0, name_at = 0;
  std::string name;
};

struct ZipMember {
  ZipFields entry;               // in the directory
  ZipFields local;               // in front of the data
  std::uint64_t header_at = 0;   // as the directory says
  std::uint64_t header_at_at = 0;
  std::uint64_t room_bytes = 0;  // from its header to what comes next in the file
};

struct ZipArchive {
  std::vector<ZipMember> members;  // in the directory's order
  std::uint64_t directory_at = 0;
  std::uint64_t prefix_bytes = 0;  // in front of it: what unpacks itself is a program with an archive behind it
  std::optional<Flaw> flaw;        // of the structure: all but what the data alone can tell
  std::vector<std::string> remarks;

  const ZipMember* find(std::string_view name) const;
};

ZipArchive read_zip(const FileBytes& file);

// Reads the member's data, hands them on piece by piece, and holds them against both headers.
std::optional<Flaw> check_zip_data(const FileBytes& file, const ZipMember& member, const std::function<void(std::span<const char>)>& use);

// "bzip2", of data that Python's zipfile unpacks and nothing here does; empty: stored or deflated, or a wrong number.
std::string_view other_packing(const ZipMember& member);
// What is to be said of an archive whose other members are sound; empty: it has none such.
std::string packed_otherwise(const ZipArchive& archive);

// "model.weights.h5 in the archive"
std::string in_archive(const ZipMember& member);

// The first member's name, from the start of a file; empty: it begins with none.
std::string_view first_zip_member(std::string_view first_bytes);

}  // namespace sigwhy::inputs
