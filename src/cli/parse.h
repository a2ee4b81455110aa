// Arguments by an option table. Needs base only: the static front uses it too.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/option.h"

namespace sigwhy::cli {

struct Arguments {
  std::map<std::string, std::string, std::less<>> options;  // those given, by long name; a flag's value is ""
  std::vector<std::string> operands;
  bool behind_dashes = false;  // the operands stood behind "--"

  bool has(std::string_view name) const { return options.find(name) != options.end(); }
  std::optional<std::string> value(std::string_view name) const {
    const auto found = options.find(name);
    return found == options.end() ? std::nullopt : std::optional(found->second);
  }
};

// `words` without the program's and the command's name. -h and --help are always taken.
Result<Arguments> parse(std::span<const Option> table, Operands operands, std::span<const std::string> words);

// Takes the option, and drops the one that it undoes.
void give(Arguments& arguments, const Option& option, std::string value);

const Option* find_option(std::span<const Option> table, std::string_view name);

// "report" is one of "report|kill"; everything is where there are no choices.
bool is_choice(const Option& option, std::string_view value);

// "auto|always|never" as "auto, always or never".
std::string choices_text(const Option& option);

}  // namespace sigwhy::cli
