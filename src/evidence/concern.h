// What `sigwhy check` finds before a run: something that would end it, may end it, or is worth knowing.
#pragma once
#include <string>
#include <vector>

#include "evidence/finding.h"
#include "evidence/gap.h"
#include "evidence/inventory.h"

namespace sigwhy {

// In the order in which they are shown. ends: the run cannot come past it. may_end: it can, as runs have shown.
enum class Severity { ends, may_end, worth_knowing };

struct Concern {
  std::string check;                // file name in src/inventory/checks, dashes for underscores
  Cause cause = Cause::unknown;     // what the death would be called
  Severity severity = Severity::worth_knowing;
  std::string claim;                // one sentence, no trailing full stop
  std::vector<std::string> because; // facts with exact names and numbers
  std::vector<std::string> fix;
};

struct CheckUp {
  int schema = 1;
  std::string interpreter;         // its path; empty: none found
  std::string python_version;
  std::string script;              // empty: none was given
  std::vector<std::string> imports;  // top-level modules that the script imports
  std::vector<std::string> checked;  // the checks that ran, by name
  std::vector<Concern> concerns;     // what ends it first, first
  std::vector<Package> packages;     // those that the script imports, with what they require
  std::vector<Gap> gaps;
};

std::string to_json(const CheckUp& check_up);

}  // namespace sigwhy
