// `--tensorboard DIR`: memory as scalars that TensorBoard draws, written while the program runs. An event file is a
// row of TFRecords: length, checksum of the length, a protobuf Event, checksum of that.
#pragma once
#include <string>

#include "base/owned_fd.h"
#include "capture/run_record.h"

namespace sigwhy::capture {

class EventFile {
 public:
  // The folder is there. One that cannot be written gives a file that takes nothing.
  explicit EventFile(const std::string& folder);

  // Once a second at first, less often in a long run: a day takes a few hundred kilobytes.
  void add(const RunRecord& record);

 private:
  void write_record(const std::string& bytes);

  OwnedFd fd_;
  double next_s_ = 0;
};

}  // namespace sigwhy::capture
