// Which file the dynamic linker would take for a library that another one needs: DT_RPATH of the chain of loaders,
// LD_LIBRARY_PATH, DT_RUNPATH, the cache of ldconfig, the system's folders. A library that is loaded already under the
// same name is taken again, wherever it came from.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "inventory/command.h"
#include "native/elf_needs.h"

namespace sigwhy::inventory {

class LibrarySearch {
 public:
  explicit LibrarySearch(const Surroundings& around);

  // `paths`: the DT_RPATHs that count, outermost last; empty: nowhere.
  struct Asker {
    std::string file;
    std::string runpath;
    std::vector<std::pair<std::string, std::string>> rpaths;  // of itself and its loaders: path list, file it stands in
  };
  std::string find(const std::string& name, const Asker& asker) const;

 private:
  std::vector<std::string> set_folders_;     // LD_LIBRARY_PATH
  std::vector<std::string> system_folders_;
  std::unordered_map<std::string, std::string> cache_;
};

// Entries of an ld.so.cache, by name; the first of each counts.
std::unordered_map<std::string, std::string> library_cache(std::string_view bytes);

struct LoadedLibrary {
  std::string file;
  std::string name;         // its soname, or what it is called by
  native::ElfNeeds needs;
  std::string by;           // the file that needs it; empty: Python loads it
  std::string module;       // the Python module through which it came in
  bool certain = false;
  std::vector<std::string> missing;  // needed, and found nowhere
};

// Libraries in the order in which they would be loaded.
class LoadPlan {
 public:
  LoadPlan(const Surroundings& around, const std::string& program);
  void load(const std::string& file, const std::string& module, bool certain);
  const std::vector<LoadedLibrary>& libraries() const { return libraries_; }
  // The one that serves this name; null: none does.
  const LoadedLibrary* named(const std::string& name) const;

 private:
  std::optional<std::size_t> add(const std::string& file, const std::string& called, std::string by, const std::string& module, bool certain);
  void add_needed(std::size_t index, std::vector<std::pair<std::string, std::string>> rpaths, int depth);

  LibrarySearch search_;
  std::vector<LoadedLibrary> libraries_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::vector<std::pair<std::string, std::string>> program_rpath_;
};

}  // namespace sigwhy::inventory
