// Snapshot -> Diagnosis. Pure: no process, no file, no clock; the same snapshot gives the same diagnosis.
#pragma once
#include "evidence/case.h"

namespace sigwhy::diagnose {

Diagnosis diagnose(const Snapshot& snapshot);

}  // namespace sigwhy::diagnose
