// A format draws the View; it decides nothing. One file per format in formats/; the file name is its id.
#pragma once
#include <span>
#include <string>

#include "report/look.h"
#include "report/view.h"

namespace sigwhy::report {

struct Format {
  const char* help;
  Detail detail;  // what its views must hold
  std::string (*render)(const View&, const Look&);
};

std::span<const Format* const> all_formats();
std::span<const char* const> names_of_formats();  // in the same order

}  // namespace sigwhy::report
