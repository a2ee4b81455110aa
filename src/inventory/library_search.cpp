#include "inventory/library_search.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "inventory/files.h"

namespace sigwhy::inventory {

namespace {

constexpr std::size_t most_libraries = 5'000;
constexpr int deepest = 100;

// $ORIGIN is the folder of the file that the path stands in; $LIB and $PLATFORM are the linker's own.
std::string expanded(std::string_view entry, const std::string& file) {
  std::string result(entry);
  const std::string origin(folder_of(real_path(file)));
  for (const auto& [name, value] : {std::pair<std::string, std::string>{"ORIGIN", origin}, {"LIB", "lib/x86_64-linux-gnu"}, {"PLATFORM", "x86_64"}})
    for (const auto& spelled : {"${" + name + "}", "$" + name})
      for (auto at = result.find(spelled); at != result.npos && result.size() < 8192; at = result.find(spelled, at + value.size()))
        result.replace(at, spelled.size(), value);
  return result;
}

std::string in_list(std::string_view list, const std::string& file, const std::string& name) {
  while (!list.empty()) {
    const auto end = std::min(list.find_first_of(":;"), list.size());
    const auto path = expanded(list.substr(0, end), file) + "/" + name;
    if (end > 0 && is_file(path)) return path;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return {};
}

}  // namespace

std::unordered_map<std::string, std::string> library_cache(std::string_view bytes) {
  constexpr std::string_view magic = "glibc-ld.so.cache1.1";
  constexpr std::size_t header_bytes = 48, entry_bytes = 24;
  constexpr std::uint32_t x86_64 = 0x0303;
  std::unordered_map<std::string, std::string> found;
  const auto start = bytes.find(magic);
  if (start == bytes.npos) return found;
  bytes.remove_prefix(start);
  ByteReader in(std::as_bytes(std::span(bytes)));
  in.seek(magic.size());
  const auto count = in.read<std::uint32_t>();
  const auto text_at = [&](std::uint32_t offset) {
    const auto end = bytes.find('\0', offset);
    return offset < bytes.size() && end != bytes.npos ? std::string(bytes.substr(offset, end - offset)) : std::string();
  };
  for (std::uint32_t i = 0; i < count && !in.failed(); ++i) {
    in.seek(header_bytes + i * entry_bytes);
    const auto flags = in.read<std::uint32_t>(), key = in.read<std::uint32_t>(), value = in.read<std::uint32_t>();
    if (!in.failed() && flags == x86_64) found.try_emplace(text_at(key), text_at(value));
  }
  return found;
}

LibrarySearch::LibrarySearch(const Surroundings& around) {
  std::string_view list = around.environment.count("LD_LIBRARY_PATH") ? around.environment.find("LD_LIBRARY_PATH")->second : std::string_view();
  while (!list.empty()) {
    const auto end = std::min(list.find_first_of(":;"), list.size());
    set_folders_.push_back(joined(around.directory, list.substr(0, end)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  system_folders_ = {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"};
  if (const auto bytes = read_text("/etc/ld.so.cache", 64 << 20)) cache_ = library_cache(*bytes);
}

std::string LibrarySearch::find(const std::string& name, const Asker& asker) const {
  if (name.find('/') != name.npos) return is_file(name) ? name : std::string();
  if (asker.runpath.empty())
    for (const auto& [list, file] : asker.rpaths)
      if (auto path = in_list(list, file, name); !path.empty()) return path;
  for (const auto& folder : set_folders_)
    if (is_file(joined(folder, name))) return joined(folder, name);
  if (auto path = in_list(asker.runpath, asker.file, name); !path.empty()) return path;
  if (const auto found = cache_.find(name); found != cache_.end() && is_file(found->second)) return found->second;
  for (const auto& folder : system_folders_)
    if (is_file(joined(folder, name))) return joined(folder, name);
  return {};
}

LoadPlan::LoadPlan(const Surroundings& around, const std::string& program) : search_(around) {
  if (const auto needs = native::elf_needs(program); needs && !needs->rpath.empty() && needs->runpath.empty())
    program_rpath_ = {{needs->rpath, program}};
  load(program, "", true);
}

void LoadPlan::load(const std::string& file, const std::string& module, bool certain) {
  const auto index = add(file, std::string(name_of(file)), "", module, certain);
  if (index) add_needed(*index, program_rpath_, 0);
}

std::optional<std::size_t> LoadPlan::add(const std::string& file, const std::string& called, std::string by, const std::string& module, bool certain) {
  if (libraries_.size() >= most_libraries) return std::nullopt;
  auto needs = native::elf_needs(file);
  if (!needs) return std::nullopt;
  LoadedLibrary library{.file = file, .name = needs->soname.empty() ? called : needs->soname, .needs = std::move(*needs),
                        .by = std::move(by), .module = module, .certain = certain};
  by_name_.try_emplace(called, libraries_.size());
  by_name_.try_emplace(library.name, libraries_.size());
  libraries_.push_back(std::move(library));
  return libraries_.size() - 1;
}

void LoadPlan::add_needed(std::size_t index, std::vector<std::pair<std::string, std::string>> rpaths, int depth) {
  if (depth > deepest) return;
  const auto library = libraries_[index];  // a copy: the list grows below
  if (!library.needs.rpath.empty() && library.needs.runpath.empty()) rpaths.insert(rpaths.begin(), {library.needs.rpath, library.file});
  const LibrarySearch::Asker asker{library.file, library.needs.runpath, rpaths};
  for (const auto& name : library.needs.needed) {
    if (by_name_.contains(name)) continue;
    const auto path = search_.find(name, asker);
    if (path.empty()) libraries_[index].missing.push_back(name);
    else if (const auto added = add(path, name, library.file, library.module, library.certain)) add_needed(*added, rpaths, depth + 1);
  }
}

const LoadedLibrary* LoadPlan::named(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &libraries_[found->second];
}

}  // namespace sigwhy::inventory
