#include "cli/settings.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cli/run_options.h"

namespace sigwhy::cli {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string user_file() {
  if (auto config = variable("XDG_CONFIG_HOME"); config.starts_with('/')) return config + "/sigwhy.toml";
  if (auto home = variable("HOME"); home.starts_with('/')) return home + "/.config/sigwhy.toml";
  return {};
}

// A setting's value as the option would be given on the command line; absent where the types do not fit.
std::optional<std::string> value_text(const Option& option, const toml::node& node) {
  if (!option.value) return node.is_boolean() ? std::optional<std::string>("") : std::nullopt;
  if (option.alone && node.is_boolean()) return option.alone;
  if (const auto* text = node.as_string(); text && is_choice(option, text->get())) return text->get();
  std::ostringstream number;
  if (const auto* whole = node.as_integer()) number << whole->get();
  else if (const auto* real = node.as_floating_point()) number << real->get();
  const auto text = number.str();
  return text.empty() || option.choices ? std::nullopt : std::optional(text);
}

std::string expected_text(const Option& option) {
  if (!option.value) return "true or false";
  if (option.alone) return "true, false, " + choices_text(option);
  return option.choices ? choices_text(option) : "a text or a number";
}

void take(Settings& settings, const toml::key& key, const toml::node& node, const std::string& file) {
  const auto problem = [&](const std::string& what) {
    settings.problems.push_back("sigwhy: " + file + ", line " + std::to_string(key.source().begin.line) + ": " + what);
  };
  const Option* option = find_option(run_option_table(), key.str());
  if (!option) return problem("unknown setting \"" + std::string(key.str()) + "\" (sigwhy help run lists them)");
  const auto value = value_text(*option, node);
  if (!value) return problem("\"" + std::string(key.str()) + "\" must be " + expected_text(*option));
  const bool off = node.is_boolean() && !node.as_boolean()->get();
  if (!off) give(settings.values, *option, *value);
}

Settings from_file(const std::string& path) {
  std::ifstream file(path);
  if (path.empty() || !file) return {};
  std::stringstream text;
  text << file.rdbuf();
  return settings_from_toml(text.str(), path);
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  char quote = 0;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool blank = !quote && (c == ' ' || c == '\t' || c == '\n');
    if (blank) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back(), inside = true;
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) words.back() += text[++i];
    else if (quote ? c == quote : c == '\'' || c == '"') quote = quote ? 0 : c;
    else words.back() += c;
  }
  return words;
}

Settings settings_from_words(std::string_view text) {
  Settings settings;
  const auto words = split_words(text);
  auto parsed = parse(run_option_table(), Operands::none, words);
  if (parsed) settings.values = std::move(*parsed);
  else
    settings.problems.push_back("sigwhy: SIGWHY_OPTIONS: " + parsed.error().what +
                                (parsed.error().cause.empty() ? "" : ": " + parsed.error().cause) + " (ignored)");
  settings.values.options.erase("help");
  return settings;
}

Settings settings_from_toml(std::string_view text, const std::string& name) {
  Settings settings;
  const auto parsed = toml::parse(text, name);
  if (!parsed) {
    std::ostringstream line;
    line << "sigwhy: " << name << ", line " << parsed.error().source().begin.line << ": "
         << parsed.error().description() << " (file ignored)";
    settings.problems.push_back(line.str());
    return settings;
  }
  for (const auto& [key, node] : parsed.table()) take(settings, key, node, name);
  return settings;
}

Arguments overlaid(const Arguments& lower, const Arguments& upper) {
  Arguments merged;
  merged.options = lower.options;
  for (const auto& [name, value] : upper.options) {
    if (const Option* option = find_option(run_option_table(), name)) give(merged, *option, value);
    else merged.options[name] = value;
  }
  merged.operands = upper.operands;
  return merged;
}

Settings load_settings() {
  Settings all;
  for (auto& layer :
       {from_file("/etc/sigwhy.toml"), from_file(user_file()), settings_from_words(variable("SIGWHY_OPTIONS"))}) {
    all.values = overlaid(all.values, layer.values);
    all.problems.insert(all.problems.end(), layer.problems.begin(), layer.problems.end());
  }
  return all;
}

}  // namespace sigwhy::cli
