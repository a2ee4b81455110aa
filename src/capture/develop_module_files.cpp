#include "capture/develop_module_files.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <memory>
#include <set>

#include "evidence/module_file.h"
#include "evidence/own_code.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_entries = 4000, most_files = 4, most_text_bytes = 1 << 20;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

bool is_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

void add(Snapshot& s, std::string path, std::string_view seen) {
  if (std::ranges::find(s.inputs, path, &Input::path) != s.inputs.end()) return;
  s.inputs.push_back({.path = std::move(path), .seen = std::string(seen)});
}

std::string folder_of(std::string_view file) { return std::string(file.substr(0, file.rfind('/') + 1)); }

std::string whole_path(const Snapshot& s, const std::string& file) {
  return file.starts_with('/') ? file : s.process.directory + "/" + file;
}

// The folder of a package, by a frame that runs code of it: .../numpy/core/ for "numpy.core".
std::string package_folder(const Snapshot& s, std::string_view package) {
  std::string part = "/" + std::string(package) + "/";
  std::ranges::replace(part, '.', '/');
  for (const auto& e : s.python_exceptions)
    for (const auto& frame : e.traceback)
      if (const auto at = frame.file.rfind(part); at != std::string::npos)
        return frame.file.substr(0, at + part.size());
  return {};
}

// "... from 'PIL' (/v/lib/python3.11/site-packages/PIL/__init__.py)"
std::string folder_in(std::string_view message) {
  const auto end = message.rfind("/__init__.py)");
  const auto start = end == std::string_view::npos ? end : message.rfind('(', end);
  return start == std::string_view::npos ? std::string() : std::string(message.substr(start + 1, end - start));
}

void add_compiled(Snapshot& s, const std::string& folder, std::string_view module) {
  const std::unique_ptr<DIR, CloseFolder> listing(folder.empty() ? nullptr : ::opendir(folder.c_str()));
  std::size_t found = 0;
  for (std::size_t n = 0; listing && n < most_entries && found < most_files; ++n) {
    const auto* entry = ::readdir(listing.get());
    if (!entry) return;
    const std::string_view name = entry->d_name;
    if (!name.starts_with(std::string(module) + ".") || !name.ends_with(".so")) continue;
    add(s, folder + std::string(name), lies_where_asked);
    ++found;
  }
}

void add_asked(Snapshot& s, const PyException& e) {
  const auto missing = quoted_behind(e.message, "No module named '");
  const auto dot = missing.rfind('.');
  if (dot != std::string_view::npos)
    add_compiled(s, package_folder(s, missing.substr(0, dot)), missing.substr(dot + 1));
  else if (const auto name = quoted_behind(e.message, "cannot import name '"); !name.empty())
    add_compiled(s, folder_in(e.message), name);
}

// The folders of installed packages and of the standard library that the process has code from.
std::set<std::string> installed_folders(const Snapshot& s) {
  std::set<std::string> folders;
  const auto take = [&](std::string_view path) {
    if (is_own_file(path)) return;
    if (const auto at = path.rfind("-packages/"); at != path.npos) folders.emplace(path.substr(0, at + 10));
    const auto lib = path.find("/lib/python");
    const auto end = lib == path.npos ? lib : path.find('/', lib + 5);
    if (end != path.npos) folders.emplace(path.substr(0, end + 1));
  };
  for (const auto& e : s.python_exceptions)
    for (const auto& frame : e.traceback) take(frame.file);
  for (const auto& module : s.modules) take(module.path);
  // A virtual environment has its packages beside the name it was started by, and the library beside the interpreter.
  for (const auto& program : {s.process.argv.empty() ? std::string() : s.process.argv[0], s.process.executable}) {
    const auto bin = program.rfind("/bin/");
    if (bin == std::string::npos || s.interpreters.empty()) continue;
    const auto prefix = program.substr(0, bin) + "/lib/python";
    const auto library = prefix + s.interpreters[0].version + "/";
    folders.insert({library, library + "site-packages/", prefix + "3/dist-packages/"});  // the last is Debian's
  }
  return folders;
}

// numpy.py or numpy/__init__.py
std::string module_in(const std::string& folder, const std::string& name) {
  for (const auto& path : {folder + name + ".py", folder + name + "/__init__.py"})
    if (is_file(path)) return path;
  return {};
}

bool holds_word(const std::string& path, std::string_view word) {
  std::string text(most_text_bytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const auto in_name = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !in_name(text[at - 1])) && (end == text.size() || !in_name(text[end]))) return true;
  }
  return false;
}

// What an installed module imports is installed. The program itself may well mean its own file: there the installed one
// must have what is missing.
bool means_installed(const PyException& e, const std::string& installed) {
  if (!is_own_code(e.traceback.front())) return true;
  const auto missing =
      quoted_behind(e.message, e.message.starts_with("cannot") ? "import name '" : "has no attribute '");
  // What __init__.py gets by `import *` stands in the stub beside it (NumPy).
  return !missing.empty() && (holds_word(installed, missing) || holds_word(installed + "i", missing));
}

// Python looks into the script's own folder before all others.
void add_hidden(Snapshot& s, const PyException& e) {
  const std::string name(module_that_lacks(e.message));
  if (name.empty() || name.find_first_of("./") != name.npos || e.traceback.empty()) return;
  const auto& script = e.traceback.back();
  if (!is_own_code(script)) return;
  const auto own = module_in(folder_of(whole_path(s, script.file)), name);
  if (own.empty()) return;
  for (const auto& folder : installed_folders(s))
    if (const auto installed = module_in(folder, name); !installed.empty() && means_installed(e, installed)) {
      add(s, own, found_first);
      add(s, installed, installed_too);
      return;
    }
}

}  // namespace

void add_module_files(Snapshot& s) {
  if (s.python_exceptions.empty()) return;
  for (const auto& e : s.python_exceptions) add_asked(s, e);
  add_hidden(s, s.python_exceptions.front());
}

}  // namespace sigwhy::capture
