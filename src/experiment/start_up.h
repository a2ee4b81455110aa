// Code inside the interpreter before the program's own: a folder in front of PYTHONPATH with a sitecustomize that runs
// it and then the user's own sitecustomize, if there is one further down the path. Processes that the program starts
// get it too. `python -S`, `-E` and `-I` do not look there, so the code leaves a mark: without it the run says nothing
// about the change.
#pragma once
#include <string>

#include "base/result.h"

namespace sigwhy::experiment {

struct StartUp {
  std::string folder;  // to go in front of PYTHONPATH
  std::string mark;    // a file that exists once the code has run
};

// Writes the folder below `parent`, which the program must see at the same path and may write to.
Result<StartUp> write_start_up(const std::string& parent, const std::string& code);

// It ran; if it failed, the error is in `why`.
bool start_up_ran(const StartUp& start_up, std::string& why);

}  // namespace sigwhy::experiment
