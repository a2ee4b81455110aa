// --no-values: what the program said goes, also where our own sentences quote it. What we say ourselves stays: only a
// finding that rests on the program's log is searched for its words, for a log holds any words, our own reports too.
#pragma once
#include "evidence/case.h"

namespace sigwhy {

// Texts become their lengths, the strings of source lines ***.
void hide_texts(Case& c);

// Whether that was done, or values were never read: such a case holds less than its judgement was made from.
bool is_hidden(const Case& c);

}  // namespace sigwhy
