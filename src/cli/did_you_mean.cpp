#include "cli/did_you_mean.h"

#include <algorithm>
#include <string_view>

#include "cli/command.h"
#include "cli/search_wish.h"
#include "report/words.h"

namespace sigwhy::cli {

namespace {

constexpr std::size_t longest_shown = 60;

// Letters left out, added, mistaken or two of them swapped.
std::size_t slips_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> slips(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        slips[i][j] = i + j;
        continue;
      }
      slips[i][j] = std::min({slips[i - 1][j] + 1, slips[i][j - 1] + 1, slips[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        slips[i][j] = std::min(slips[i][j], slips[i - 2][j - 2] + 1);
    }
  return slips[a.size()][b.size()];
}

std::string nearest_command(std::string_view name) {
  if (name.size() > 20) return {};
  std::string nearest;
  auto most = name.size() > 4 ? 2u : 1u;
  for (const auto& named : shown_commands()) {
    const auto slips = slips_between(name, named.name);
    if (slips > most || (slips == most && !nearest.empty())) continue;
    nearest = named.name;
    most = static_cast<unsigned>(slips);
  }
  return nearest;
}

}  // namespace

std::string did_you_mean(const std::vector<std::string>& words) {
  const std::string& name = words[0];
  const bool path = name.find('/') != std::string::npos;
  if (const auto nearest = nearest_command(name); !path && !nearest.empty()) return "did you mean " + nearest + "?";
  std::vector<std::string> command(words.begin() + (name == "--"), words.end());
  if (command.empty() || command[0].empty() || (!path && name != "--" && !can_be_run(name)))
    return "sigwhy --help lists them";
  auto text = report::command_text(command);
  if (text.size() > longest_shown) text = report::command_text({command[0]}) + " ...";
  return "did you mean sigwhy run -- " + text + "?";
}

}  // namespace sigwhy::cli
