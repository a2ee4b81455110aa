#include "inventory/distributions.h"

#include <algorithm>

namespace sigwhy::inventory {

namespace {

constexpr std::uint64_t most_metadata_bytes = 1 << 20;
constexpr std::uint64_t most_record_bytes = 16 << 20;

// The header fields of METADATA or PKG-INFO: up to the first empty line.
void read_fields(std::string_view text, Distribution& d) {
  for (const auto line : lines_of(text)) {
    if (line.empty()) return;
    const auto colon = line.find(':');
    if (colon == line.npos || line.starts_with(' ')) continue;
    const auto key = line.substr(0, colon);
    const std::string value(stripped(line.substr(colon + 1)));
    if (key == "Name") d.name = value;
    else if (key == "Version") d.version = value;
    else if (key == "Requires-Python") d.requires_python = value;
    else if (key == "Requires-Dist") d.requires_text.push_back(value);
  }
}

// requires.txt of an egg: sections "[extra:marker]" before their lines.
void read_egg_requirements(std::string_view text, Distribution& d) {
  std::string marker;
  for (const auto whole : lines_of(text)) {
    const auto line = stripped(whole);
    if (line.empty()) continue;
    if (line.starts_with('[')) {
      const auto inside = line.substr(1, line.rfind(']') - 1);
      const auto colon = std::min(inside.find(':'), inside.size());
      marker = inside.substr(std::min(colon + 1, inside.size()));
      if (colon > 0) marker = "extra == '" + std::string(inside.substr(0, colon)) + "'" + (marker.empty() ? "" : " and (" + marker + ")");
      continue;
    }
    d.requires_text.push_back(std::string(line) + (marker.empty() ? "" : " ; " + marker));
  }
}

void read_wheel_tags(Distribution& d) {
  const auto text = read_text(d.metadata + "/WHEEL", most_metadata_bytes);
  if (!text) return;
  for (const auto line : lines_of(*text))
    if (line.starts_with("Tag:")) d.wheel_tags.emplace_back(stripped(line.substr(4)));
}

std::string origin_of(const Distribution& d, bool is_conda) {
  const auto installer = read_text(d.metadata + "/INSTALLER", 256);
  const std::string by(installer ? stripped(*installer) : "");
  if (d.folder.starts_with("/usr/lib/") || by == "debian" || by == "rpm") return "system";
  if (by == "conda") return "conda";
  if (const auto url = read_text(d.metadata + "/direct_url.json", 64 << 10); url && url->find("\"dir_info\"") != url->npos) return "source";
  if (!d.wheel_tags.empty()) return "wheel";
  return is_conda ? "conda" : "unknown";
}

Distribution read_distribution(const std::string& folder, const std::string& entry, bool is_conda) {
  Distribution d{.folder = folder, .metadata = folder + "/" + entry};
  const bool is_wheel = entry.ends_with(".dist-info");
  const auto plain = is_file(d.metadata) ? d.metadata : d.metadata + (is_wheel ? "/METADATA" : "/PKG-INFO");
  if (const auto text = read_text(plain, most_metadata_bytes)) read_fields(*text, d);
  if (const auto text = is_wheel ? std::nullopt : read_text(d.metadata + "/requires.txt", most_metadata_bytes))
    read_egg_requirements(*text, d);
  if (is_wheel) read_wheel_tags(d);
  d.origin = origin_of(d, is_conda);
  // pip leaves the platform tag "linux_x86_64" on what it compiled itself.
  d.from_index = d.origin == "wheel" && std::ranges::any_of(d.wheel_tags, [](const std::string& tag) { return tag.find("linux_2_") != tag.npos || tag.find("manylinux") != tag.npos; });
  return d;
}

bool lists(const std::string& text, const std::string& name) {
  const auto lines = lines_of(text);
  return std::ranges::any_of(lines, [&](std::string_view line) { return stripped(line) == name; });
}

// A RECORD names every file: "yaml/__init__.py,sha256=...,12311". An egg's list stands in SOURCES or installed-files.
bool record_has(const std::string& record, const std::string& inside) {
  for (std::size_t at = record.find(inside); at != record.npos; at = record.find(inside, at + 1)) {
    const bool at_start = at == 0 || record[at - 1] == '\n' || (at >= 4 && record.compare(at - 3, 3, "../") == 0);
    const auto end = at + inside.size();
    if (at_start && end < record.size() && (record[end] == '/' || record[end] == '.')) return true;
  }
  return false;
}

std::string record_of(const Distribution& d) {
  for (const char* name : {"/RECORD", "/installed-files.txt"})
    if (auto text = read_text(d.metadata + name, most_record_bytes)) return std::move(*text);
  return {};
}

bool owns(const Distribution& d, const std::string& inside) {
  if (inside.find('/') == inside.npos)
    if (const auto text = read_text(d.metadata + "/top_level.txt", 64 << 10); text && lists(*text, inside)) return true;
  return record_has(record_of(d), inside);
}

struct Ask {
  const Requirement requirement;
  const Distribution* target = nullptr;  // what is installed of it
};

// Requirements that hold for this interpreter with one of these extras, or without any.
std::vector<Ask> asks_of(const Distribution& d, const Distributions& all, const MarkerValues& values, std::vector<std::string> extras) {
  std::vector<Ask> asks;
  extras.push_back("");
  for (const auto& text : d.requires_text) {
    auto requirement = parse_requirement(text);
    if (!requirement) continue;
    const bool holds = std::ranges::any_of(extras, [&](const std::string& extra) {
      return marker_holds(requirement->marker, values, extra).value_or(false);
    });
    if (!holds) continue;
    const auto* target = all.find(requirement->name);
    asks.push_back({std::move(*requirement), target});
  }
  return asks;
}

}  // namespace

Distributions Distributions::installed_for(const Interpreter& python) {
  Distributions all;
  for (const auto* folders : {&python.from_variable, &python.site})
    for (const auto& folder : *folders) all.read_folder(folder, python.conda && is_below(folder, python.prefix));
  return all;
}

void Distributions::read_folder(const std::string& folder, bool is_conda) {
  for (const auto& entry : Listings().names(folder)) {
    // "~umpy-1.26.4.dist-info" is what a failed uninstall leaves.
    if (entry.starts_with('~') || (!entry.ends_with(".dist-info") && !entry.ends_with(".egg-info"))) continue;
    auto d = read_distribution(folder, entry, is_conda);
    if (d.name.empty() || d.version.empty()) continue;
    if (by_name_.try_emplace(normal_name(d.name), all_.size()).second) all_.push_back(std::move(d));
  }
}

const Distribution* Distributions::find(std::string_view name) const {
  const auto found = by_name_.find(normal_name(name));
  return found == by_name_.end() ? nullptr : &all_[found->second];
}

std::vector<const Distribution*> Distributions::owners(const std::string& folder, const std::string& inside) const {
  std::vector<const Distribution*> found;
  for (const auto& d : all_)
    if (d.folder == folder && owns(d, inside)) found.push_back(&d);
  return found;
}

bool Distributions::has_file_named(const std::string& name) const {
  return std::ranges::any_of(all_, [&](const Distribution& d) { return record_of(d).find("/" + name + ",") != std::string::npos; });
}

Package package_of(const Distribution& d, const Distributions& all, const MarkerValues& values, const std::vector<std::string>& extras) {
  Package package{.name = d.name, .version = d.version, .origin = d.origin, .folder = d.folder};
  for (const auto& ask : asks_of(d, all, values, extras)) {
    if (!ask.target) {
      package.broken.push_back({ask.requirement.wants, std::nullopt});
      continue;
    }
    if (!ask.requirement.understood) continue;
    if (!meets(ask.target->version, ask.requirement.specifiers).value_or(true))
      package.broken.push_back({ask.requirement.wants, ask.target->version});
  }
  return package;
}

std::vector<Needed> with_requirements(const std::vector<const Distribution*>& first, const Distributions& all, const MarkerValues& values) {
  std::vector<Needed> needed;
  // The list grows while it is walked; an extra that is asked for later opens its entry again.
  std::vector<std::pair<const Distribution*, std::vector<std::string>>> open;
  for (const auto* d : first) open.emplace_back(d, std::vector<std::string>());
  for (std::size_t i = 0; i < open.size() && open.size() < 20'000; ++i) {
    const auto [distribution, extras] = open[i];
    auto entry = std::ranges::find(needed, distribution, &Needed::distribution);
    const bool is_new = entry == needed.end();
    if (is_new) entry = needed.insert(needed.end(), Needed{distribution, {}});
    bool more = is_new;
    for (const auto& extra : extras)
      if (std::ranges::count(entry->extras, extra) == 0) {
        entry->extras.push_back(extra);
        more = true;
      }
    if (!more) continue;
    for (const auto& ask : asks_of(*distribution, all, values, entry->extras))
      if (ask.target) open.emplace_back(ask.target, ask.requirement.extras);
  }
  return needed;
}

}  // namespace sigwhy::inventory
