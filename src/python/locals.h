// The names of a Python frame and what they stand for. A function's names are slots behind the frame, named by its
// code; a module's or class body's are a dictionary. Variables that an inner function shares live in a cell.
#pragma once
#include <string_view>

#include "python/objects.h"

namespace sigwhy::python {

struct Local {
  std::string_view name;  // valid during the call only
  Address object;
  bool argument = false;
};
using VisitLocal = FunctionRef<bool(const Local&)>;

// Arguments first. Names that are not bound yet are left out, and so is what every module has (__name__ and kin).
void locals_of(const Objects& objects, Address frame, VisitLocal visit);

// The dictionary of the module the frame's code belongs to.
Address globals_of(const Objects& objects, Address frame);

// Entries of a module's dictionary that are data: no modules, functions, classes, and nothing of __this__ form.
void variables_in(const Objects& objects, Address dict, std::uint64_t most, VisitLocal visit);

}  // namespace sigwhy::python
