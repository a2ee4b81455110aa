// A Python source cut into logical lines: brackets and backslashes join physical ones, semicolons part them, comments
// and the insides of strings are gone.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sigwhy::inventory {

struct SourceLine {
  int indent = 0;   // columns; a tab goes to the next multiple of eight
  int number = 0;   // of its first physical line
  bool same = false;  // it stands behind a semicolon or a block's colon on the line of the one before
  std::string text;
};

// `all`: every line whole. Else of lines that begin with none of the words of imports, blocks and `raise` only the first
// letters are kept: packages have megabytes of others.
std::vector<SourceLine> source_lines(std::string_view source, bool all);

}  // namespace sigwhy::inventory
