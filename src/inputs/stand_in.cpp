#include "inputs/stand_in.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace sigwhy::inputs {

static bool begins_with(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         std::ranges::equal(text.substr(0, lower_case.size()), lower_case, {},
                            [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
}

std::string pointer_text(std::string_view first) {
  if (!first.starts_with("version https://git-lfs")) return {};
  return "it is a Git LFS pointer, not the file itself; `git lfs pull` fetches that";
}

std::string page_text(std::string_view first) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  constexpr std::array beginnings = {"<!doctype html", "<html"};
  if (first.starts_with(byte_order_mark)) first.remove_prefix(byte_order_mark.size());
  first.remove_prefix(std::min(first.find_first_not_of(" \t\r\n"), first.size()));
  if (std::ranges::none_of(beginnings, [&](std::string_view text) { return begins_with(first, text); })) return {};
  return "it is an HTML page, not the file itself; get the file again";
}

static bool ends_in_one_of(std::string_view path, std::span<const std::string_view> endings) {
  const auto dot = path.rfind('.');
  if (dot == path.npos || path.find('/', dot) != path.npos) return false;
  const auto ending = path.substr(dot + 1);
  return std::ranges::any_of(endings,
                             [&](std::string_view e) { return e.size() == ending.size() && begins_with(ending, e); });
}

bool is_named_as_binary(std::string_view path) {
  constexpr std::array<std::string_view, 32> endings = {
      "pth", "ckpt", "pkl", "pickle", "joblib", "onnx", "pb",  "mlmodel", "gguf",    "jpg",  "jpeg",
      "png", "gif",  "bmp", "webp",   "tif",    "tiff", "wav", "flac",    "ogg",     "mp3",  "mp4",
      "avi", "tar",  "bz2", "xz",     "zst",    "7z",   "mat", "parquet", "feather", "arrow"};
  return ends_in_one_of(path, endings);
}

bool is_named_as_data(std::string_view path) {
  constexpr std::array<std::string_view, 5> others = {"bin", "csv", "tsv", "json", "jsonl"};
  return is_named_as_binary(path) || ends_in_one_of(path, others);
}

}  // namespace sigwhy::inputs
