// What is installed, from the metadata beside it: *.dist-info (wheels), *.egg-info (older; a folder or a file).
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evidence/inventory.h"
#include "inventory/files.h"
#include "inventory/interpreter.h"
#include "inventory/requirement.h"

namespace sigwhy::inventory {

struct Distribution {
  std::string name;  // as its metadata spells it
  std::string version;
  std::string origin;  // "wheel", "conda", "system", "source" or "unknown"
  std::string folder;  // that holds its modules
  std::string metadata;  // its folder or file
  std::string requires_python;
  std::vector<std::string> requires_text;   // each with its marker
  std::vector<std::string> wheel_tags;      // "cp311-cp311-manylinux_2_17_x86_64"; empty: no wheel
  bool from_index = false;  // a ready-made wheel, not one that was built here
};

class Distributions {
 public:
  // Reads the metadata in all folders; of a name the first on the path counts.
  static Distributions installed_for(const Interpreter& python);

  const Distribution* find(std::string_view name) const;  // in any spelling
  const std::vector<Distribution>& all() const { return all_; }

  // Those that have the file or folder, such as "google/protobuf" or "yaml", in `folder`.
  std::vector<const Distribution*> owners(const std::string& folder, const std::string& inside) const;
  // Whether one of them has a file of this name, wherever it lies.
  bool has_file_named(const std::string& name) const;

 private:
  void read_folder(const std::string& folder, bool is_conda);
  std::vector<Distribution> all_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
};

// A package with its requirements that are not met, the extras in `extras` asked for.
Package package_of(const Distribution& distribution, const Distributions& all, const MarkerValues& values,
                   const std::vector<std::string>& extras);

// The given ones and what they require, and so on, each once with the extras that are asked of it.
struct Needed {
  const Distribution* distribution = nullptr;
  std::vector<std::string> extras;
};
std::vector<Needed> with_requirements(const std::vector<const Distribution*>& first, const Distributions& all,
                                      const MarkerValues& values);

}  // namespace sigwhy::inventory
