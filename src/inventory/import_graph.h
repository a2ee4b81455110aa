// Everything that a script's imports would load, found by reading sources: the script, its own modules, and inside
// packages what their top level imports. What is made up at run time (lazy loaders, plug-ins, __import__) is not seen.
#pragma once
#include <string>
#include <vector>

#include "evidence/gap.h"
#include "evidence/inventory.h"
#include "inventory/budget.h"
#include "inventory/import_statements.h"
#include "inventory/module_finder.h"

namespace sigwhy::inventory {

// A name that one of the user's own files imports.
struct OwnImport {
  std::string module;  // as far as it is a module: "tensorflow.keras" or "google.protobuf"
  bool found = false;
  bool own = false;       // one of the user's own modules
  bool standard = false;  // of the interpreter
  Reached reached = Reached::certain;
  ImportLine line;
};

struct LoadedModule {
  std::string name;
  std::string file;      // empty: built in or a namespace package
  bool extension = false;
  bool certain = false;  // loaded whenever the script runs; else only tried
  ImportLine line;       // of the user's own file that brought it in
};

struct ImportGraph {
  std::vector<OwnImport> own;       // in the order of the sources
  std::vector<LoadedModule> loaded; // of packages, in the order of loading
  std::vector<std::string> sources; // the user's files that were read
  std::string code;                 // of those files, without comments and texts
  bool changes_path = false;        // one of them changes sys.path or how modules are found
  std::vector<Gap> gaps;
};

struct Source {
  std::string file;     // empty: `text` is code of the command line
  std::string text;
  std::string package;  // that it is part of, for relative imports
  bool is_program = false;
  bool certain = true;     // it runs for sure
  bool installed = false;  // a launcher: none of the user's files
};

// `own_folders`: what lies below them on the path is the user's own.
ImportGraph read_imports(const std::vector<Source>& programs, const std::vector<std::string>& own_folders, ModuleFinder& finder,
                         const Budget& budget);

}  // namespace sigwhy::inventory
