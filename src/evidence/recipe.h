// What a re-run needs. It holds the whole environment, secrets included: kept in a private file beside the case,
// never rendered, exported or served.
#pragma once
#include <string>
#include <vector>

namespace sigwhy {

struct Recipe {
  std::vector<std::string> argv;
  std::vector<std::string> environment;
  std::string directory;
};

std::string to_json(const Recipe& recipe);

}  // namespace sigwhy
