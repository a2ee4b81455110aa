// Case <-> JSON. Reading tolerates unknown fields and missing ones; writing omits what is absent.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "evidence/case.h"

namespace sigwhy {

std::string to_json(const Case& c);
Result<Case> case_from_json(std::string_view text);

// JSON Schema (2020-12) of a Case, made from the same description.
std::string case_schema();

}  // namespace sigwhy
