// What a bisection goes over, as it is typed:
//
//   batch=1..4096        a range of whole numbers, both ends included
//   v=2.10,2.11,2.12     a list, in this order
//   line=@queries.txt    the lines of a file
//
// The name in braces stands in the command: `--batch {batch}`; for lines it becomes a file with a part of them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace sigwhy::experiment {

struct Over {
  enum Kind { range, list, lines } kind = range;
  std::string name;
  std::int64_t first = 0, last = 0;  // of a range
  std::vector<std::string> values;   // of a list
  std::string file;                  // of lines
};

Result<Over> parse_over(const std::string& text);

// The command with `{name}` replaced; where no word has it there is nothing to vary.
bool mentions(const std::vector<std::string>& command, const std::string& name);
std::vector<std::string> with_value(const std::vector<std::string>& command, const std::string& name,
                                    const std::string& value);

// "300M", "1.5G", "4096": bytes. Units are powers of 1024.
Result<std::uint64_t> parse_size(const std::string& text);
// "90", "15m", "2h": seconds.
Result<double> parse_time(const std::string& text);
// "1,7,64"
std::vector<std::string> split_list(const std::string& text);

}  // namespace sigwhy::experiment
