// When a report is worth a user's eyes: after every death by signal; after a plain non-zero exit only if we know
// more than the program has said itself, which takes a finding that is at least strong. A traceback has said much
// already: there the finding must hold a name or a number that is not in it.
#pragma once
#include "evidence/case.h"

namespace sigwhy::diagnose {

bool worth_saying(const Case& c);

}  // namespace sigwhy::diagnose
