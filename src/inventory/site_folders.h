// The folders in which an interpreter looks for modules, in its order.
#pragma once
#include "inventory/interpreter.h"

namespace sigwhy::inventory {

// `with_system`: a virtual environment that also sees what is installed for the interpreter it was made from.
void add_folders(Interpreter& python, const PythonOptions& options, const Surroundings& around, bool with_system);

}  // namespace sigwhy::inventory
