// The fields of a case as a Markdown table, for docs/schema.md.
#pragma once
#include <string>
#include <string_view>

namespace sigwhy {

// One row a field: `snapshot.threads[].name`, its type, its meaning.
std::string schema_table(std::string_view json_schema);

}  // namespace sigwhy
