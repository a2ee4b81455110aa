// The answer of a search by re-runs as text: the answer first, then the table it rests on.
#pragma once
#include <string>

#include "evidence/search.h"
#include "report/look.h"

namespace sigwhy::report {

std::string search_text(const Search& search, const Look& look);

}  // namespace sigwhy::report
