// CLI11 does the syntax (--name=value, --name value, -abc); it is slow to compile and appears here alone.
#include "cli/parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace sigwhy::cli {

namespace {

std::string spelling(const Option& option) {
  std::string names = "--" + std::string(option.name);
  if (option.letter) names = "-" + std::string(1, option.letter) + "," + names;
  if (option.also) names += ",--" + std::string(option.also);
  return option.alone ? names + "{" + option.alone + "}" : names;
}

constexpr Option help_option = {.name = "help", .letter = 'h'};

std::map<const CLI::Option*, const Option*> declare(CLI::App& app, std::span<const Option> table) {
  std::map<const CLI::Option*, const Option*> declared;
  app.set_help_flag();
  const auto add = [&](const Option& option) {
    const bool takes_next = option.value && !option.alone;
    auto* added = takes_next ? app.add_option(spelling(option)) : app.add_flag(spelling(option));
    if (takes_next) added->expected(1);
    added->take_last();
    declared[added] = &option;
  };
  for (const auto& option : table) add(option);
  add(help_option);
  return declared;
}

std::unexpected<Error> usage_error(std::string what, std::string cause = {}) {
  return failure(std::move(what), std::move(cause), "--help shows the options");
}

// CLI11 leaves an option it does not know among the operands.
Result<void> take_operands(Arguments& arguments, Operands operands, std::vector<std::string> rest) {
  const bool marked = !rest.empty() && rest[0] == "--";
  if (marked) rest.erase(rest.begin());
  const auto unknown = [](const std::string& word) { return word.size() > 1 && word[0] == '-'; };
  for (const auto& word : rest) {
    if (!marked && unknown(word)) return usage_error("unknown option " + word);
    if (operands == Operands::command) break;
  }
  const std::size_t most = operands == Operands::none                                   ? 0
                           : operands == Operands::any || operands == Operands::command ? rest.size()
                                                                                        : 1;
  if (rest.size() > most) return usage_error("one argument too many: " + rest[most]);
  if (operands == Operands::one && rest.empty() && !arguments.has("help")) return usage_error("an argument is missing");
  arguments.operands = std::move(rest);
  return {};
}

// `--guard all ./solver`: the value of an option that may stand alone needs the `=`; as a program it is not there.
Result<void> refuse_parted(std::span<const Option> table, std::span<const std::string> words, std::size_t operands) {
  if (operands == 0 || operands >= words.size()) return {};
  const auto& before = words[words.size() - operands - 1];
  const auto& first = words[words.size() - operands];
  for (const auto& option : table)
    if (option.alone && option.choices && before == "--" + std::string(option.name) && is_choice(option, first))
      return failure(before + " " + first, "the value stands behind a =", "write " + before + "=" + first);
  return {};
}

Result<void> take_options(Arguments& arguments, const CLI::App& app,
                          const std::map<const CLI::Option*, const Option*>& declared) {
  for (const CLI::Option* given : app.parse_order()) {
    const Option& option = *declared.at(given);
    const auto value = option.value ? given->results().back() : std::string();
    if (option.value && (value.empty() || value == "--")) return usage_error("--" + std::string(option.name) + " needs a value");
    if (!is_choice(option, value))
      return usage_error("--" + std::string(option.name), "\"" + value + "\" is not " + choices_text(option));
    give(arguments, option, value);
  }
  return {};
}

}  // namespace

// What stands before "--" is ours alone, so that options may follow the operand.
static Result<Arguments> parse_two_parts(std::span<const Option> table, std::span<const std::string> words) {
  const auto dashes = std::ranges::find(words, "--");
  auto arguments = parse(table, Operands::at_most_one, {words.begin(), dashes});
  if (!arguments || dashes == words.end()) return arguments;
  if (!arguments->operands.empty()) return usage_error("one argument too many: " + arguments->operands[0]);
  arguments->operands.assign(dashes + 1, words.end());
  arguments->behind_dashes = true;
  if (arguments->operands.empty() && !arguments->has("help")) return usage_error("no command is given behind --");
  return arguments;
}

Result<Arguments> parse(std::span<const Option> table, Operands operands, std::span<const std::string> words) {
  if (operands == Operands::one_or_command) return parse_two_parts(table, words);
  CLI::App app;
  const auto declared = declare(app, table);
  if (operands == Operands::command) app.prefix_command();
  else app.allow_extras();
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string text = e.what();
    return usage_error(text.substr(0, text.find(':')) + " needs a value");
  } catch (const CLI::Error& e) {
    return usage_error(e.what());
  }
  Arguments arguments;
  if (auto taken = take_options(arguments, app, declared); !taken) return std::unexpected(taken.error());
  if (operands == Operands::command)
    if (auto whole = refuse_parted(table, words, app.remaining().size()); !whole) return std::unexpected(whole.error());
  if (auto taken = take_operands(arguments, operands, app.remaining()); !taken) return std::unexpected(taken.error());
  return arguments;
}

void give(Arguments& arguments, const Option& option, std::string value) {
  if (option.instead_of) arguments.options.erase(option.instead_of);
  arguments.options[option.name] = std::move(value);
}

const Option* find_option(std::span<const Option> table, std::string_view name) {
  for (const auto& option : table)
    if (name == option.name || (option.also && name == option.also)) return &option;
  return nullptr;
}

bool is_choice(const Option& option, std::string_view value) {
  if (!option.choices) return true;
  const std::string all = "|" + std::string(option.choices) + "|";
  return value.find('|') == std::string_view::npos && all.find("|" + std::string(value) + "|") != std::string::npos;
}

std::string choices_text(const Option& option) {
  std::string text = option.choices ? option.choices : "";
  const auto last = text.rfind('|');
  if (last != std::string::npos) text.replace(last, 1, " or ");
  for (std::size_t at; (at = text.find('|')) != std::string::npos;) text.replace(at, 1, ", ");
  return text;
}

}  // namespace sigwhy::cli
