// The options of a command as a table of data: parsing, --help, the man page and the completion read the same one.
#pragma once

namespace sigwhy::cli {

struct Option {
  const char* name;                  // long name, without dashes
  const char* value = nullptr;       // what its value is called, "FILE"; null: a flag
  const char* help = "";             // one sentence, no full stop
  char letter = 0;                   // short name
  const char* also = nullptr;        // another spelling of the long name
  const char* choices = nullptr;     // "auto|always|never": no other value is taken
  const char* instead_of = nullptr;  // the option that this one undoes; the later of the two holds
  const char* alone = nullptr;       // its value where none is given: a value needs the `=` then
};

// Those that several commands take.
inline constexpr Option colour_option = {.name = "colour",
                                         .value = "WHEN",
                                         .help = "colours",
                                         .also = "color",
                                         .choices = "auto|always|never",
                                         .instead_of = "no-colour"};
inline constexpr Option no_colour_option = {
    .name = "no-colour", .help = "no colours", .also = "no-color", .instead_of = "colour"};
inline constexpr Option values_option = {
    .name = "values", .help = "show the program's strings too; secrets stay hidden", .instead_of = "no-values"};
inline constexpr Option no_values_option = {
    .name = "no-values", .help = "hide all strings the program made", .instead_of = "values"};

// What a command takes besides options.
enum class Operands {
  none,
  at_most_one,
  one,
  any,
  command,  // the first operand and all behind it, options included, belong to somebody else
  one_or_command,  // at most one, or behind "--" a command
};

}  // namespace sigwhy::cli
