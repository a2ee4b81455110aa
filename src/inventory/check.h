// What could end a run, looked for before it, one question a file in checks/. Nothing of the user's is run: all that a
// check gets is read from files and from the kernel.
#pragma once
#include <span>
#include <vector>

#include "evidence/concern.h"
#include "evidence/process.h"
#include "inventory/distributions.h"
#include "inventory/import_graph.h"
#include "inventory/interpreter.h"
#include "inventory/library_search.h"

namespace sigwhy::inventory {

// A run as far as files tell it.
struct Prospect {
  Surroundings around;
  PlannedCommand command;
  Interpreter python;
  Distributions installed;
  ImportGraph imports;
  std::vector<const Distribution*> direct;  // that the user's files import, in their order
  std::vector<Needed> needed;               // these and what they require
  std::vector<Package> packages;            // the same with what is broken
  std::vector<LoadedLibrary> libraries;     // that the imports load, in their order
  Host host;
  std::string proc = "/proc";
  std::vector<Gap> gaps;

  bool imports_module(std::string_view top_level) const;
  const Distribution* owner_of(const std::string& file) const;  // of the needed ones, by its folder
  const Needed* needed_named(std::string_view name) const;
};

struct Check {
  int order;  // what ends a run earlier has the lower number
  void (*look)(const Prospect& prospect, std::vector<Concern>& concerns);  // `check` is filled in by the caller
};

// Made by the build: one for every file in checks/, and its name with dashes.
std::span<const Check* const> all_checks();
std::span<const char* const> names_of_checks();

// Reads everything that the checks ask for. `words`: the command; empty: the PATH's Python with nothing to run.
Prospect look_ahead(std::vector<std::string> words, const Surroundings& around);

CheckUp check_up(const Prospect& prospect);

}  // namespace sigwhy::inventory
