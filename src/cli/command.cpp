#include "cli/command.h"

#include <algorithm>

namespace sigwhy::cli {

const Command* find_command(std::string_view name) {
  const auto names = names_of_commands();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return all_commands()[i];
  return nullptr;
}

std::vector<NamedCommand> shown_commands() {
  std::vector<NamedCommand> shown;
  const auto names = names_of_commands();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (all_commands()[i]->place > 0) shown.push_back({names[i], all_commands()[i]});
  std::ranges::sort(shown, {}, [](const NamedCommand& c) { return c.command->place; });
  return shown;
}

}  // namespace sigwhy::cli
