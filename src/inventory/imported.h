// The line of Python that brought a module in: an import of its package, or a mention of its file, in the program's own
// source. Only lines that stand there are shown; what a package imports in turn is not searched for.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evidence/snapshot.h"
#include "target/target.h"

namespace sigwhy::inventory {

class ImportLines {
 public:
  ImportLines(const Target& target, const Snapshot& snapshot);

  std::optional<ImportLine> bringing(const Module& module) const;

 private:
  std::vector<ImportLine> imports_;   // one for each name that a line imports, its text beside it
  std::vector<std::string> names_;    // as imports_
  std::vector<ImportLine> mentions_;  // lines that name a shared library
};

}  // namespace sigwhy::inventory
