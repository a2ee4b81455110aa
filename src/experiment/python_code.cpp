#include "experiment/python_code.h"

#include <fmt/format.h>

namespace sigwhy::experiment {

namespace {

// Defined once per interpreter, however many pieces use it. The loader that would have been used does its work, then
// the code runs.
constexpr const char* finder = R"(
import sys
if not hasattr(sys, '_sigwhy_after'):
    import importlib.util
    class _After(object):
        def __init__(self):
            self.then, self.busy = {}, False
        def find_spec(self, name, path=None, target=None):
            if name not in self.then or self.busy:
                return None
            self.busy = True
            try:
                spec = importlib.util.find_spec(name)
            finally:
                self.busy = False
            if spec is None or spec.loader is None:
                return None
            run = spec.loader.exec_module
            def exec_module(module):
                run(module)
                for code in self.then.pop(name, ()):
                    try:
                        exec(code, {'module': module})
                    except BaseException as error:
                        note('%s: %s\n' % (type(error).__name__, error))
            spec.loader.exec_module = exec_module
            return spec
    sys._sigwhy_after = _After()
    sys.meta_path.insert(0, sys._sigwhy_after)
)";

}  // namespace

std::string quoted(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') literal += '\\';
    if (c == '\n') literal += "\\n";
    else literal += c;
  }
  return literal + "'";
}

std::string after_import(std::string_view module, std::string_view code) {
  return fmt::format("{}sys._sigwhy_after.then.setdefault({}, []).append({})\n", finder, quoted(module), quoted(code));
}

}  // namespace sigwhy::experiment
