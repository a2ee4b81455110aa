#include "cli/help.h"

#include <fmt/format.h>

#include <vector>

#include "report/page.h"

namespace sigwhy::cli {

namespace {

using report::Cell;
using report::Page;

std::string option_spelling(const Option& o) {
  auto text = o.letter ? fmt::format("-{}, --{}", o.letter, o.name) : fmt::format("--{}", o.name);
  if (o.alone) return fmt::format("{}[={}]", text, o.value);
  return o.value ? text + " " + o.value : text;
}

std::string option_help(const Option& o) {
  auto text = o.choices ? fmt::format("{}: {}", o.help, choices_text(o)) : std::string(o.help);
  return o.also ? fmt::format("{} (also --{})", text, o.also) : text;
}

// Paragraphs separated by empty lines; a line that begins with blanks is an example and stays as it is.
void draw_prose(Page& page, std::string_view text) {
  std::string paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) page.paragraph(paragraph, 0, 0);
    paragraph.clear();
  };
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with(' ')) {
      flush();
      page.paragraph(line, 4, 8);
    } else if (line.empty()) {
      flush();
      page.blank();
    } else {
      paragraph += std::string(line) + " ";
    }
  }
  flush();
}

void draw_options(Page& page, const Command& command) {
  if (command.options.empty()) return;
  std::vector<std::vector<Cell>> rows;
  for (const auto& option : command.options) rows.push_back({{option_spelling(option)}, {option_help(option)}});
  rows.push_back({{"-h, --help"}, {"show this"}});
  page.blank();
  page.paragraph("Options", 0, 0);
  page.rows(rows, 2);
}

void draw_examples(Page& page, const Command& command) {
  if (command.examples.empty()) return;
  page.blank();
  page.paragraph("Examples", 0, 0);
  for (const auto& example : command.examples) {
    page.paragraph(example.command, 2, 6);
    page.paragraph(example.what, 6, 6);
  }
}

}  // namespace

std::string overview_text(int columns) {
  Page page({.columns = columns});
  page.paragraph("sigwhy runs a program and says why it died.", 0, 0);
  page.blank();
  page.paragraph("usage: sigwhy run [options] -- COMMAND...", 0, 7);
  page.paragraph("sigwhy COMMAND [options]", 7, 7);
  page.blank();
  std::vector<std::vector<Cell>> rows;
  for (const auto& [name, command] : shown_commands())
    rows.push_back({{fmt::format("{} {}", name, command->operands)}, {command->summary}});
  page.rows(rows, 2);
  page.blank();
  page.paragraph(
      "The program runs at full speed and behaves as without sigwhy; the report goes to stderr after a death "
      "by signal. `sigwhy help COMMAND` says more about each.",
      0, 0);
  return page.take();
}

std::string help_text(const NamedCommand& named, int columns) {
  const auto& [name, command] = named;
  Page page({.columns = columns});
  page.paragraph(
      fmt::format("usage: sigwhy {}{} {}", name, command->options.empty() ? "" : " [options]", command->operands), 0,
      7);
  page.blank();
  page.paragraph(fmt::format("{}.", command->summary), 0, 0);
  if (*command->description) page.blank();
  draw_prose(page, command->description);
  draw_options(page, *command);
  draw_examples(page, *command);
  return page.take();
}

}  // namespace sigwhy::cli
