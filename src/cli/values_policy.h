// --values and --no-values, as the reader of Python values understands them.
#pragma once
#include "cli/parse.h"
#include "python/collector.h"

namespace sigwhy::cli {

inline python::ValuesPolicy values_policy(const Arguments& arguments) {
  if (arguments.has("values")) return python::ValuesPolicy::all;
  return arguments.has("no-values") ? python::ValuesPolicy::types_only : python::ValuesPolicy::plain;
}

}  // namespace sigwhy::cli
