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
};

// What a command takes besides options.
enum class Operands {
  none,
  at_most_one,
  one,
  any,
  command,  // the first operand and all behind it, options included, belong to somebody else
};

}  // namespace sigwhy::cli
