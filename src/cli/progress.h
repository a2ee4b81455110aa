// How a session goes on: on a terminal one line that is written over, else nothing unless it was asked for.
#pragma once
#include <string>

#include "experiment/session.h"

namespace sigwhy::cli {

class ProgressLine {
 public:
  explicit ProgressLine(bool verbose);
  ~ProgressLine() { clear(); }

  double seconds() const;  // since it was made
  void show(const experiment::Progress& progress);
  void clear();

 private:
  bool terminal_;
  bool verbose_;
  double started_s_;
  bool shown_ = false;
};

}  // namespace sigwhy::cli
