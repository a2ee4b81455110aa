// What a command line would run, read off its words: which Python, with which of its options, and which script, module
// or code. Wrappers in front of it (env, nice, mpirun) are passed over; a launcher (torchrun, python -m pdb) is a Python
// program whose first operand that is a Python file is the script.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sigwhy::inventory {

// Where it would run.
struct Surroundings {
  std::map<std::string, std::string, std::less<>> environment;
  std::string directory;

  static Surroundings of_this_process();
  std::string variable(std::string_view name) const;  // empty where it is not set
};

struct PythonOptions {
  bool isolated = false;               // -I
  bool ignores_environment = false;    // -E or -I
  bool without_user_site = false;      // -s or -I
  bool without_site = false;           // -S
  bool without_script_folder = false;  // -P or -I
};

struct PlannedCommand {
  std::vector<std::string> words;
  std::string program;      // the file that runs: Python, or whatever the command names; empty: not found
  std::string wanted;       // the word that was looked for
  bool is_python = false;
  PythonOptions options;
  std::string script;               // absolute
  std::string module;               // of -m
  std::string code;                 // of -c
  std::vector<std::string> operands;  // behind the script, module or code
  bool from_input = false;  // it reads its program from stdin, or there is none
};

// No words: the python that the PATH has.
PlannedCommand plan_command(std::vector<std::string> words, const Surroundings& around);

// The first operand that is a Python file; empty: none.
std::string launched_script(const PlannedCommand& command, const Surroundings& around);

// The file that a word starts; empty: none. pyenv's shims are looked through.
std::string find_program(const std::string& word, const Surroundings& around);

}  // namespace sigwhy::inventory
