// Where a module would come from, as the interpreter's own search goes: the folders in order; in each a package, an
// extension module, a source file. Folders without __init__.py are namespace packages, whose parts may lie in many.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "inventory/files.h"
#include "inventory/interpreter.h"

namespace sigwhy::inventory {

struct FoundModule {
  enum class Kind { source, extension, built_in, namespace_package, compiled };
  Kind kind = Kind::source;
  std::string file;                  // source or library; empty: built in or a namespace
  std::vector<std::string> folders;  // of a package: where its submodules lie
  std::string root;                  // the folder of the path in which its top-level name was found
  bool standard = false;             // of the interpreter itself
};

class ModuleFinder {
 public:
  // `first`: the script's folder, or the working folder; empty: none.
  ModuleFinder(const Interpreter& python, std::string first);

  // Another folder in front: of a script that a launcher starts. What was found before is looked for again.
  void put_first(const std::string& folder);

  // "a.b.c"; nothing where it is not there.
  const FoundModule* find(const std::string& name);

 private:
  std::optional<FoundModule> look_up(const std::string& name);
  std::optional<FoundModule> in_folder(const std::string& folder, const std::string& name);
  std::string extension_in(const std::string& folder, const std::string& name);

  const Interpreter& python_;
  std::vector<std::string> folders_;
  std::vector<std::string> suffixes_;  // of extension modules, ".cpython-311-x86_64-linux-gnu.so" first
  Listings listings_;
  std::unordered_map<std::string, std::optional<FoundModule>> found_;
};

// Modules that some build of CPython has inside its program: they have no file.
bool may_be_built_in(std::string_view name);

}  // namespace sigwhy::inventory
