#include "diagnose/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnose/line_values.h"
#include "diagnose/phrases.h"
#include "evidence/own_code.h"
#include "evidence/path_text.h"

namespace sigwhy::diagnose {

namespace {

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

// What is open as a member of an archive goes by the member's name, which is no file's: it.name of a ZipExtFile.
bool is_name_of_member(const PythonFrame& frame, std::string_view name) {
  if (!name.ends_with(".name")) return false;
  const auto object = std::ranges::find(frame.values, name.substr(0, name.rfind('.')), &PyValue::name);
  if (object == frame.values.end()) return false;
  return object->type == "ZipExtFile" || object->type == "ExFileObject" || object->type == "_FileInFile";
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
      if (is_file_argument(value.name) && !is_name_of_member(frames[i], value.name))
        if (const auto path = path_in(value.text)) return InputFile{*path, true, {ref(value.path)}};
  }
  return std::nullopt;
}

std::optional<std::size_t> input_at(const Facts& f, std::string_view path) {
  const auto whole = path.starts_with('/') ? std::string(path) : f.snapshot.process.directory + "/" + std::string(path);
  const auto& inputs = f.snapshot.inputs;
  const auto found = std::ranges::find(inputs, whole, &Input::path);
  if (found == inputs.end()) return std::nullopt;
  return static_cast<std::size_t>(found - inputs.begin());
}

EvidenceRef input_ref(std::size_t input) { return ref(fmt::format("/inputs/{}", input)); }

std::string flaw_text(const Flaw& flaw) {
  const auto in = flaw.inside.empty() ? std::string() : " of " + flaw.inside;
  const auto where = flaw.where.empty() ? std::string() : fmt::format(" ({})", flaw.where);
  return fmt::format("at byte {}{}{}: {}", count_text(flaw.offset), in, where, flaw.what);
}

std::string holder_text(const FileHolder& holder) {
  if (holder.command.empty()) return fmt::format("process {}", holder.pid);
  return fmt::format("{} (process {})", one_line(holder.command, 60), holder.pid);
}

const FileHolder* writer_of(const Input& input) {
  const auto found = std::ranges::find_if(input.holders, &FileHolder::writes);
  return found == input.holders.end() ? nullptr : &*found;
}

const FileHolder* locker_of(const Input& input) {
  const auto found = std::ranges::find_if(input.holders, &FileHolder::locks);
  return found == input.holders.end() ? nullptr : &*found;
}

}  // namespace sigwhy::diagnose
