// What `sigwhy run` was asked for, in the form the supervisor needs it.
#pragma once
#include <string>
#include <vector>

namespace sigwhy::capture {

struct Plan {
  bool quiet = false;       // never print
  bool always = false;      // print whatever the end was
  bool wants_case = false;  // a case file was asked for, so even a clean exit is worth a case
  bool use_ptrace = true;
  bool tee = false;
  std::vector<std::string> command;
  std::string directory;  // where it was started
  std::string input;      // what its stdin was, as /proc names it
  std::string guard;             // the mode of the guarded heap: "all"; empty: not asked for
  std::string guard_not_loaded;  // asked for, and why the program runs without it; empty: it was preloaded
  double hang_s = 0;            // so long without progress is a hang; 0: not looked for
  bool kill_hung = false;
  bool forecast = false;        // one line on stderr when a trend meets the limit
  std::string termination_log;  // absolute; empty: none
  std::string tensorboard;      // a folder that is there; empty: none
  std::string case_folder;  // absolute
  bool (*make_case_folder)(const std::string&) = nullptr;  // false: it is not there and could not be made
  std::vector<std::string> developer_arguments;  // handed on to each developing process as they are
};

}  // namespace sigwhy::capture
