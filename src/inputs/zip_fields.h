// The two headers of a zip member, which hold the same in another order.
#pragma once
#include <optional>

#include "inputs/zip_archive.h"

namespace sigwhy::inputs {

inline constexpr std::uint64_t zip_local_bytes = 30, zip_entry_bytes = 46, zip_end_bytes = 22;

struct ZipHeader {
  ZipFields fields;
  std::uint64_t header_at = 0, header_at_at = 0;  // an entry's alone
  std::optional<Flaw> flaw;
};

ZipHeader read_local_header(const FileBytes& file, std::uint64_t at);
ZipHeader read_directory_entry(const FileBytes& file, std::uint64_t at);

// For an archive whose end record is missing: from the start on, where does it stop being one?
Flaw flaw_of_zip_without_end(const FileBytes& file);

}  // namespace sigwhy::inputs
