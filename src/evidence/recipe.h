// What a re-run needs. It holds the whole environment, secrets included: kept in a private file beside the case,
// never rendered, exported or served.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sigwhy {

struct Recipe {
  std::vector<std::string> argv;
  std::vector<std::string> environment;
  std::string directory;
  std::string input;  // the file that its stdin was; empty: none, a re-run reads nothing
};

std::string to_json(const Recipe& recipe);
Result<Recipe> recipe_from_json(std::string_view text);

}  // namespace sigwhy
