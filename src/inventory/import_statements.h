// The import statements of a Python source, found without running it: a tokenizer that knows strings, comments,
// brackets and continued lines, and the blocks that a statement stands in. Works on Python 2 and 3 alike.
//
// Whether a statement is reached matters as much as that it is there: one in `try: ... except ImportError` may fail
// without harm, one in a function runs later or never, one below `if TYPE_CHECKING` never runs.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sigwhy::inventory {

// certain: runs whenever the file does, and its failure ends the file. tried: runs, and may fail. perhaps: below an `if`,
// a loop or the like. later: in a function. main_only: where the file is the program itself.
enum class Reached { certain, tried, perhaps, later, main_only };

struct ImportStatement {
  std::string module;              // "a.b" of "import a.b" or "from ..a.b import c"; may be empty with dots
  int dots = 0;                    // of a relative import
  std::vector<std::string> names;  // behind `import` in a from-statement
  int line = 0;
  Reached reached = Reached::certain;
};

std::vector<ImportStatement> import_statements(std::string_view source);

// The source with comments and the text in strings taken out: what is left to search for names.
std::string without_texts(std::string_view source);

}  // namespace sigwhy::inventory
