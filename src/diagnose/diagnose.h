// Snapshot -> Diagnosis. Pure: no process, no file, no clock; the same snapshot gives the same diagnosis.
#pragma once
#include "evidence/case.h"

namespace sigwhy::diagnose {

Diagnosis diagnose(const Snapshot& snapshot);

// Chooses the verdict among the findings, puts it first and the others behind it by strength.
void set_verdict(Diagnosis& diagnosis);

}  // namespace sigwhy::diagnose
