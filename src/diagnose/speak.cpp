#include "diagnose/speak.h"

namespace sigwhy::diagnose {

bool worth_saying(const Case& c) {
  const auto& end = c.snapshot.termination;
  if (end.kind != TerminationKind::exited) return true;
  const auto& findings = c.diagnosis.findings;
  return end.exit_code != 0 && !findings.empty() && findings.front().strength >= Strength::strong;
}

}  // namespace sigwhy::diagnose
