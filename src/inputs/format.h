// One file format, one file in formats/. A format recognises its files by their first bytes and their name, and walks
// one from start to end. The bytes are hostile: the walk is bounded, allocates no more than `longest_buffer` for a length
// that the file states, and runs in a child that may die (check.h).
//
// The offset of a flaw is exact: it is that of the first byte of the field that cannot be, never of where a reader
// happened to notice. Where a file is too short, it is the file's end: the first byte that is missing.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "evidence/input.h"
#include "inputs/file_bytes.h"

namespace sigwhy::inputs {

// The later outranks the earlier. as_wrapper: the bytes are a zip or a gzip, which others use to wrap what is theirs.
enum class Likeness { none, by_name, as_wrapper, by_content };

inline constexpr std::uint64_t first_bytes_seen = 64 << 10;

struct Format {
  const char* title;  // "TFRecord"
  // `first_bytes`: up to first_bytes_seen of them.
  Likeness (*likeness)(std::string_view path, std::string_view first_bytes);
  // `format` of the result is filled in by the caller.
  Checked (*check)(const FileBytes& file);
  // What is not one file but a folder, or a prefix that several files share ("model.ckpt-100"); null: there is no such
  // thing in this format. Asked only where `path` is no regular file. A flaw names the file it lies in by `inside`.
  Likeness (*likeness_of_place)(const std::string& path) = nullptr;
  Checked (*check_place)(const std::string& path) = nullptr;
  bool empty_is_legal = false;  // a file of no bytes is asked about too; else it is broken
};

// Made by the build: one for every file in formats/, and its name with dashes.
std::span<const Format* const> all_formats();
std::span<const char* const> names_of_formats();

// Null: there is no such format.
const Format* find_format(std::string_view name);

}  // namespace sigwhy::inputs
