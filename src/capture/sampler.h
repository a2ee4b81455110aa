// Reads how much memory the processes of a run use and what their control group counts, into a RunRecord. Files are
// opened once and read again by pread: inside a full group opening one may stall for seconds. /proc/PID/statm costs
// a few microseconds and tells anonymous memory from the rest; status (15) splits that rest and is read now and then;
// smaps walks page tables and is never read here.
#pragma once
#include <sys/types.h>

#include <array>
#include <cstdint>

#include "base/owned_fd.h"
#include "capture/run_record.h"
#include "capture/run_table.h"
#include "capture/sampled_groups.h"

namespace sigwhy::capture {

class Sampler {
 public:
  Sampler(const RunTable& table, RunRecord& record, double started_s);

  // One reading. False: nothing of the run is there any more.
  bool read();
  std::size_t process_count() const { return process_count_; }
  // The process with a column that is the largest now; the root where all are gone.
  pid_t largest() const { return largest_; }
  // Of the group's use, what the kernel cannot take back; 0 where no group was found.
  std::uint64_t firm_bytes() { return groups_.firm_bytes(); }

 private:
  struct Followed {
    pid_t pid = 0;
    OwnedFd statm, status;
    double split_s = -1;  // when `status` was read
    int column = -1;
    ProcessReading now{};
    char command[16] = "";
    std::uint32_t total() const { return now.anonymous + now.file + now.shared; }
  };

  void follow(std::size_t index);
  bool read_process(Followed& process, double at_s);
  void read_split(Followed& process, double at_s);
  int column_for(const Followed& process);
  void read_machine(Reading& reading);
  void keep(const Reading& reading);

  const RunTable& table_;
  RunRecord& record_;
  double started_s_;
  std::array<Followed, RunTable::most_watched> followed_;
  std::array<std::uint32_t, record_processes> peak_kib_{};
  std::size_t process_count_ = 0;
  pid_t largest_ = 0;
  SampledGroups groups_;
  OwnedFd meminfo_, vmstat_;
  double machine_read_s_ = -1, group_found_s_ = -1;
  std::uint64_t ticks_ = 0;
};

}  // namespace sigwhy::capture
