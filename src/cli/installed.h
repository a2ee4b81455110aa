// Where the parts of sigwhy lie, seen from this program: beside it in a build folder, or
// bin/sigwhy + lib/sigwhy/{sigwhy-develop,demo/...,lab/...} where it is installed.
#pragma once
#include <string>

#include "base/result.h"

namespace sigwhy::cli {

Result<std::string> front_program();

// The folder with the bundled crashing programs.
Result<std::string> demo_folder();

// The script that runs programs of the lab.
Result<std::string> lab_program();

}  // namespace sigwhy::cli
