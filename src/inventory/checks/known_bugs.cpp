// Public bugs of the installed versions, where the user's own code calls the operation by its name. Most of them need
// arguments that no honest program passes; so this is worth knowing and no more, and silent where the name is not seen.
#include "evidence/known_bugs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "inventory/check.h"

namespace sigwhy::inventory::checks {

namespace {

bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The name as a whole word, called.
bool calls(const std::string& code, const std::string& name) {
  for (auto at = code.find(name); at != code.npos; at = code.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || !is_name_part(code[at - 1])) && end < code.size() && code[end] == '(') return true;
  }
  return false;
}

// How a user spells an operation of the table; only spellings that can mean nothing else.
std::optional<std::string> called_as(std::string_view operation, const std::string& code) {
  const auto colon = operation.find(':');
  if (colon == operation.npos || operation.ends_with('*')) return std::nullopt;
  const auto kind = operation.substr(0, colon);
  const std::string name(operation.substr(colon + 1));
  std::vector<std::string> spellings;
  if (kind == "op") spellings = {"raw_ops." + name};
  if (kind == "aten") spellings = {"torch." + name, "torch.nn.functional." + name, "torch.ops.aten." + name};
  for (auto& spelling : spellings)
    if (calls(code, spelling)) return spelling;
  return std::nullopt;
}

void look(const Prospect& p, std::vector<Concern>& concerns) {
  for (const auto* d : p.direct)
    for (const auto& bug : public_bugs_of(d->name, d->version)) {
      std::optional<std::string> called;
      for (const auto operation : bug.operations)
        if (!called) called = called_as(operation, p.imports.code);
      if (!called) continue;
      const auto fixes = fixes_after(bug, d->version);
      concerns.push_back({.severity = Severity::worth_knowing,
                          .claim = fmt::format("{} {} has a public bug in what the script calls: {}, {}", d->name, d->version, public_name(bug), in_words(bug)),
                          .because = {fmt::format("the script calls {}", *called)},
                          .fix = fixes.empty() ? std::vector<std::string>() : std::vector<std::string>{fmt::format("fixed in {}", fmt::join(fixes, ", "))}});
    }
}

}  // namespace

extern const Check known_bugs;
const Check known_bugs = {.order = 9, .look = look};

}  // namespace sigwhy::inventory::checks
