// The bash completion, from the command tables. Behind `run`'s own options the completion of the program that is
// to be run takes over.
#include <fmt/format.h>

#include "cli/help.h"

namespace sigwhy::cli {

namespace {

std::string words_of(const Command& command) {
  std::string words;
  for (const auto& option : command.options) {
    words += fmt::format("--{} ", option.name);
    if (!option.alone) continue;
    for (std::string_view rest = option.choices; !rest.empty();) {
      const auto choice = rest.substr(0, rest.find('|'));
      words += fmt::format("--{}={} ", option.name, choice);
      rest.remove_prefix(std::min(choice.size() + 1, rest.size()));
    }
  }
  return words + "--help";
}

std::string choices_cases() {
  std::string cases;
  for (const auto& [name, command] : shown_commands())
    for (const auto& option : command->options) {
      if (!option.choices || option.alone) continue;
      std::string choices = option.choices;
      for (auto& c : choices) c = c == '|' ? ' ' : c;
      const auto line =
          fmt::format("    --{}) COMPREPLY=($(compgen -W \"{}\" -- \"$cur\")); return ;;\n", option.name, choices);
      if (cases.find(line) == std::string::npos) cases += line;
    }
  return cases;
}

std::string command_cases() {
  std::string cases;
  for (const auto& [name, command] : shown_commands())
    cases += fmt::format("    {}) options=\"{}\" ;;\n", name, words_of(*command));
  return cases;
}

std::string names() {
  std::string all;
  for (const auto& named : shown_commands()) all += std::string(named.name) + " ";
  return all + "help";
}

}  // namespace

std::string bash_completion() {
  return fmt::format(R"bash(# bash completion for sigwhy; made by: sigwhy completion bash
_sigwhy() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} options= i
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$cur"))
    return
  fi
  if [ "${{COMP_WORDS[1]}}" = run ]; then
    for ((i = 2; i < COMP_CWORD; i++)); do
      if [ "${{COMP_WORDS[i]}}" = -- ]; then
        if declare -F _command_offset >/dev/null; then _command_offset $((i + 1)); else COMPREPLY=($(compgen -c -f -- "$cur")); fi
        return
      fi
    done
  fi
  case $prev in
{}  esac
  case ${{COMP_WORDS[1]}} in
{}    help) options="{}" ;;
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *)
      case ${{COMP_WORDS[1]}} in
        help) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
        show | rejudge) COMPREPLY=($(compgen -W "$(sigwhy list --ids 2>/dev/null)" -- "$cur")) ;;
        demo) COMPREPLY=($(compgen -W "$(sigwhy demo --list 2>/dev/null)" -- "$cur")) ;;
        completion) COMPREPLY=($(compgen -W bash -- "$cur")) ;;
        *) COMPREPLY=($(compgen -f -- "$cur")) ;;
      esac
      ;;
  esac
}}
complete -o filenames -F _sigwhy sigwhy
)bash",
                     names(), choices_cases(), command_cases(), names());
}

}  // namespace sigwhy::cli
