// What the place that a report is written to can show.
#pragma once

namespace sigwhy::report {

struct Look {
  int columns = 80;  // narrower than 40 is drawn as 40
  int source_columns = 0;  // lines of source may be as wide: prose is read best in a narrow column, code is not
  bool colour = false;
  bool unicode = true;  // false: ASCII only
};

}  // namespace sigwhy::report
