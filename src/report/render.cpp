#include "report/render.h"

#include <fmt/format.h>

#include "report/format.h"

namespace sigwhy::report {

Result<std::string> render(const Case& c, std::string_view name, const Look& look, const std::string& again) {
  const auto names = names_of_formats();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name != names[i]) continue;
    const Format& format = *all_formats()[i];
    return format.render(again.empty() ? make_view(c, format.detail) : make_view(c, format.detail, again), look);
  }
  return failure(fmt::format("no format is called {}", name), "", fmt::format("there are: {}", fmt::join(names, ", ")));
}

}  // namespace sigwhy::report
