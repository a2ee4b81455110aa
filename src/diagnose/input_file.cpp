#include "diagnose/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnose/line_values.h"
#include "diagnose/phrases.h"
#include "evidence/own_code.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::size_t longest_path = 300, longest_ending = 12;

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

bool looks_like_path(std::string_view text) {
  if (text.empty() || text.size() > longest_path || text.find("://") != std::string_view::npos) return false;
  if (text.find_first_of("\n\t{}*?<>|\"") != std::string_view::npos) return false;
  if (text.starts_with('/') && text.size() > 1) return true;
  const auto dot = text.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == text.size()) return false;
  const auto ending = text.substr(dot + 1);
  const bool letters = std::ranges::any_of(ending, [](char c) { return is_plain(c) && (c < '0' || c > '9'); });
  return letters && ending.size() <= longest_ending && std::ranges::all_of(ending, is_plain);
}

// 'train.npz', b'train.npz' or PosixPath('train.npz') as Python writes them.
std::optional<std::string> path_in(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const auto first = text->find_first_of("'\"");
  if (first == std::string::npos) return std::nullopt;
  const auto last = text->rfind((*text)[first]);
  if (last <= first) return std::nullopt;
  auto path = text->substr(first + 1, last - first - 1);
  return looks_like_path(path) ? std::optional(std::move(path)) : std::nullopt;
}

bool is_file_argument(std::string_view name) {
  constexpr std::array known = {"file",
                                "filename",
                                "path",
                                "filepath",
                                "file_path",
                                "fname",
                                "name",
                                "f",
                                "fid",
                                "fp",
                                "fd",
                                "fileobj",
                                "file_name",
                                "src",
                                "source",
                                "fullpath",
                                "save_path",
                                "checkpoint_path",
                                "filepath_or_buffer",
                                "path_or_buf",
                                "export_dir",
                                "f.name",
                                "file.name",
                                "fp.name",
                                "fid.name",
                                "fileobj.name",
                                "name_or_buffer",
                                "self.name"};
  return std::ranges::find(known, name) != known.end();
}

std::optional<InputFile> from_attributes(const Facts& f, std::size_t exception) {
  const auto& e = f.snapshot.python_exceptions[exception];
  for (const char* name : {"filename", "filename2", "path"})
    if (const auto* value = attribute(e, name))
      if (auto path = path_in(value->text))
        return InputFile{*path, true, {ref(fmt::format("/python_exceptions/{}/attributes", exception))}};
  return std::nullopt;
}

std::optional<InputFile> from_line(const PythonFrame& frame, const std::vector<NamedValue>& values,
                                   std::string frame_path) {
  const auto line = frame.text.value_or("");
  const auto names = names_in(line);
  for (const auto& value : values)
    if (const auto path = path_in(value.text)) {
      const auto base = value.name.substr(0, value.name.find_first_of(".["));
      if (std::ranges::find(names, base) != names.end()) return InputFile{*path, true, {ref(value.path)}};
    }
  for (const auto& text : strings_in(line))
    if (looks_like_path(text)) return InputFile{text, true, {ref(frame_path)}};
  return std::nullopt;
}

// json.loads(text): the text may come from anywhere, and a path on that line is that of another file.
bool reads_text(const std::vector<PythonFrame>& frames, std::size_t own) {
  const auto called = own > 0 ? std::string_view(frames[own - 1].function) : std::string_view();
  return called == "loads" || called == "fromstring" || called == "parseString";
}

// An archive's own name: the `name` that its reader was asked for is that of a member.
std::optional<InputFile> archive(const Facts& f, std::size_t exception) {
  const auto& frames = f.snapshot.python_exceptions[exception].traceback;
  for (std::size_t i = 0; i < frames.size() && !is_own_code(frames[i]); ++i)
    for (const auto& value : values_of_frame(f, {exception, i}))
      if (value.name == "self.filename")
        if (const auto path = path_in(value.text)) return InputFile{*path, true, {ref(value.path)}};
  return std::nullopt;
}

// The only path among the values of the user's frame.
std::optional<InputFile> only_path(const std::vector<NamedValue>& values) {
  std::optional<InputFile> only;
  for (const auto& value : values) {
    const auto path = path_in(value.text);
    if (!path || value.name.starts_with("__") || path->ends_with(".py")) continue;
    if (only && only->path != *path) return std::nullopt;
    only = InputFile{*path, false, {ref(value.path)}};
  }
  return only;
}

}  // namespace

std::optional<InputFile> file_of(const Facts& f, std::size_t exception) {
  if (auto file = from_attributes(f, exception)) return file;
  if (auto file = archive(f, exception)) return file;
  const auto& frames = f.snapshot.python_exceptions[exception].traceback;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto values = values_of_frame(f, {exception, i});
    if (is_own_code(frames[i])) {
      if (reads_text(frames, i)) return only_path(values);
      if (auto file = from_line(frames[i], values, fmt::format("/python_exceptions/{}/traceback/{}", exception, i)))
        return file;
      return only_path(values);
    }
    for (const auto& value : values)
      if (is_file_argument(value.name))
        if (const auto path = path_in(value.text)) return InputFile{*path, true, {ref(value.path)}};
  }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose
