// Case -> text in one of the formats.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "evidence/case.h"
#include "report/look.h"

namespace sigwhy::report {

// `format` is the name of a file in formats/. `again` is the command that shows this case again, for the footer;
// empty: `sigwhy show` with its id.
Result<std::string> render(const Case& c, std::string_view format, const Look& look, const std::string& again = {});

}  // namespace sigwhy::report
