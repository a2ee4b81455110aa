// A rule is a pure function of facts: a finding, or nothing. One file per rule in rules/; the file name is its id.
#pragma once
#include <optional>
#include <span>

#include "diagnose/facts.h"
#include "evidence/finding.h"

namespace sigwhy::diagnose {

struct Rule {
  const char* title;  // "null pointer", for `--help` and docs
  std::optional<Finding> (*check)(const Facts&);
  bool of_living = false;  // it also speaks of a process that was looked at while it runs
};

std::span<const Rule* const> all_rules();

}  // namespace sigwhy::diagnose
