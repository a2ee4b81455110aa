// Pieces of Python that start-up code is made of. They run in the user's interpreter, from 2.7 on, before anything of
// the program: what cannot be done there at once is done right after the import of the module that it is about.
#pragma once
#include <string>
#include <string_view>

namespace sigwhy::experiment {

// Runs `code` once `module` has been imported; there it is called `module`. A failure is noted, so that the run is
// not taken for one with the change.
std::string after_import(std::string_view module, std::string_view code);

// As a Python literal.
std::string quoted(std::string_view text);

}  // namespace sigwhy::experiment
