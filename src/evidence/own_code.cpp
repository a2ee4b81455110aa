#include "evidence/own_code.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sigwhy {

namespace {

bool in_installed_folder(std::string_view file) {
  constexpr std::array folders = {"/site-packages/", "/dist-packages/"};
  for (const std::string_view folder : folders)
    if (file.find(folder) != std::string_view::npos) return true;
  constexpr std::string_view library = "/lib/python";
  for (auto at = file.find(library); at != std::string_view::npos; at = file.find(library, at + 1)) {
    const auto next = at + library.size();
    if (next < file.size() && file[next] >= '0' && file[next] <= '9') return true;
  }
  return false;
}

// TensorFlow's AutoGraph rewrites a function into a temporary file: `step` becomes `tf__step` there.
bool is_rewritten(const PythonFrame& frame) {
  return frame.file.find("__autograph_generated_file") != std::string::npos || frame.function.starts_with("tf__");
}

}  // namespace

bool is_own_code(const PythonFrame& frame) { return !is_rewritten(frame) && is_own_file(frame.file); }

bool is_own_code(const std::vector<PythonFrame>& frames, std::size_t index) {
  if (!is_own_code(frames[index]) || frames[index].file != "<string>") return is_own_code(frames[index]);
  return std::none_of(frames.begin() + static_cast<std::ptrdiff_t>(index), frames.end(), [](const PythonFrame& outer) {
    return outer.file != "<string>" && is_own_code(outer);
  });
}

std::optional<std::size_t> first_own(const std::vector<PythonFrame>& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (is_own_code(frames, i)) return i;
  return std::nullopt;
}

bool is_own_file(std::string_view file) {
  if (file.starts_with('<')) return file == "<stdin>" || file == "<string>" || file.starts_with("<ipython-input");
  if (file.empty()) return false;
  for (const std::string_view source : {".pyx", ".pxi", ".pxd"})  // compiled by Cython, in somebody's package
    if (!file.starts_with('/') && file.ends_with(source)) return false;
  return !in_installed_folder(file);
}

}  // namespace sigwhy
