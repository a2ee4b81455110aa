// A module that the program imports for certain and that no folder of the interpreter's path provides. Said only where
// the user's files do not change sys.path; where start-up code (an unknown .pth file, sitecustomize) could still provide
// it, it is only worth knowing.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "inventory/check.h"

namespace sigwhy::inventory::checks {

namespace {

// Not to be said at all: the user's own files may provide it, in ways that nobody can read.
bool cannot_tell(const Prospect& p) { return !p.python.known() || p.imports.changes_path || p.command.options.without_site; }

// Code that runs before the script and may provide it; empty: none. Debian's own sitecustomize provides nothing.
std::string code_before(const Prospect& p) {
  if (!p.python.code_at_start.empty()) return p.python.code_at_start.front();
  for (const auto* folders : {&p.python.site, &p.python.from_variable, &p.python.standard})
    for (const auto& folder : *folders)
      for (const char* name : {"/sitecustomize.py", "/usercustomize.py"})
        if (is_file(folder + name) && folder.find("/usr/lib/python3") != 0) return folder + name;
  return {};
}

void look(const Prospect& p, std::vector<Concern>& concerns) {
  if (cannot_tell(p)) return;
  const auto code = code_before(p);
  std::set<std::string> said;
  for (const auto& import : p.imports.own) {
    const auto top = import.module.substr(0, import.module.find('.'));
    // Below a package that is there, a module may be made by the package's own code (six.moves).
    const bool top_is_there = import.own || import.standard || std::ranges::any_of(p.imports.loaded, [&](const LoadedModule& m) { return m.name == top; });
    if (import.found || top_is_there || import.reached != Reached::certain || !said.insert(top).second) continue;
    if (p.installed.find(top)) continue;  // installed in a way that we do not see through
    const auto where = import.line.file.empty() ? std::string("the command line") : fmt::format("{}:{}", import.line.file, import.line.line);
    concerns.push_back({.cause = Cause::python_exception,
                        .severity = code.empty() ? Severity::ends : Severity::may_end,
                        .claim = fmt::format("no module is called {}, which {} imports", top, where),
                        .because = {fmt::format("the line is: {}", import.line.text), fmt::format("none of the folders of {} has it", p.python.path)},
                        .fix = {fmt::format("{} -m pip install {}, if its package is called so", p.python.path, top), "or run the Python in which it is installed"}});
    if (!code.empty()) concerns.back().because.push_back(fmt::format("only code that runs before the script may still provide it: {}", code));
  }
}

}  // namespace

extern const Check missing_import;
const Check missing_import = {.order = 1, .look = look};

}  // namespace sigwhy::inventory::checks
