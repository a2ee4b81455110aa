// The manual page in roff, from the command tables.
#include <fmt/format.h>

#include "cli/help.h"

namespace sigwhy::cli {

namespace {

// roff reads a dot or a quote at the start of a line as a request, and a backslash anywhere.
std::string escaped(std::string_view text) {
  std::string safe;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) safe += "\\&";
    if (c == '\\') safe += "\\e";
    else if (c == '-') safe += "\\-";
    else safe += c;
    line_start = c == '\n';
  }
  return safe;
}

std::string option_text(const Option& o) {
  std::string names = o.letter ? fmt::format("\\fB\\-{}\\fR, ", o.letter) : "";
  names += fmt::format("\\fB\\-\\-{}\\fR", escaped(o.name));
  if (o.alone) names += fmt::format("[=\\fI{}\\fR]", escaped(o.value));
  else if (o.value) names += fmt::format(" \\fI{}\\fR", escaped(o.value));
  auto help = std::string(o.help);
  if (o.choices) help += ": " + choices_text(o);
  return fmt::format(".TP\n{}\n{}\n", names, escaped(help));
}

std::string prose(std::string_view text) {
  std::string roff;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    roff += line.empty() ? ".PP\n" : escaped(line) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return roff;
}

std::string command_section(const NamedCommand& named) {
  const auto& [name, command] = named;
  auto text = fmt::format(".SS \"sigwhy {}{} {}\"\n{}.\n", escaped(name), command->options.empty() ? "" : " [options]",
                          escaped(command->operands), escaped(command->summary));
  if (*command->description) text += ".PP\n" + prose(command->description);
  for (const auto& option : command->options) text += option_text(option);
  for (const auto& example : command->examples)
    text += fmt::format(".PP\n.RS\n.nf\n{}\n.fi\n.RE\n{}.\n", escaped(example.command), escaped(example.what));
  return text;
}

}  // namespace

std::string man_page() {
  std::string page =
      ".TH SIGWHY 1 \"\" \"sigwhy " SIGWHY_VERSION
      "\" \"User Commands\"\n"
      ".SH NAME\nsigwhy \\- run a program and say why it died\n"
      ".SH SYNOPSIS\n.B sigwhy run\n[options] \\-\\- \\fICOMMAND\\fR...\n.br\n.B sigwhy\n\\fICOMMAND\\fR [options]\n"
      ".SH COMMANDS\n";
  for (const auto& named : shown_commands()) page += command_section(named);
  page +=
      ".SH ENVIRONMENT\n"
      ".TP\n\\fBSIGWHY\\fR\n0: run the program and do nothing else.\n"
      ".TP\n\\fBSIGWHY_OPTIONS\\fR\nOptions of \\fBsigwhy run\\fR that hold without being given.\n"
      ".TP\n\\fBSIGWHY_DIR\\fR\nThe folder of the cases.\n"
      ".TP\n\\fBNO_COLOR\\fR\nNot empty: no colours.\n"
      ".SH FILES\n"
      ".TP\n\\fI$XDG_CONFIG_HOME/sigwhy.toml\\fR, \\fI/etc/sigwhy.toml\\fR\nSettings, by the long names of the "
      "options.\n"
      ".TP\n\\fI$XDG_STATE_HOME/sigwhy/cases\\fR\nThe last 200 cases.\n"
      ".SH EXIT STATUS\n"
      "\\fBsigwhy run\\fR ends as the program ends: same status, same signal. 127: the program was not found; 126: it "
      "cannot be "
      "executed; 125: an error of sigwhy's own. The other commands: 0, 1 where something failed, 2 for a wrong call.\n";
  return page;
}

}  // namespace sigwhy::cli
