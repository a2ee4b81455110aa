// A memory control group of the run's own: it sets the limit of an experiment and tells the peak of all its processes
// together. Version 1 and 2; where no group can be made (an ordinary user without delegation) there is none, and
// nothing else is pretended: RLIMIT_AS bounds addresses, which is another experiment.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/owned_fd.h"
#include "base/result.h"

namespace sigwhy::experiment {

class MemoryGroup {
 public:
  static Result<MemoryGroup> make(std::optional<std::uint64_t> limit_bytes);

  MemoryGroup(MemoryGroup&& other) noexcept
      : folder_(std::exchange(other.folder_, {})), version_(other.version_) {}
  MemoryGroup& operator=(MemoryGroup&&) = delete;
  ~MemoryGroup();  // its processes must be gone

  // Whoever writes "0" to it is in the group from then on, and what it starts.
  OwnedFd door() const;
  std::optional<std::uint64_t> peak_bytes() const;
  const std::string& folder() const { return folder_; }

 private:
  MemoryGroup(std::string folder, int version) : folder_(std::move(folder)), version_(version) {}
  std::string folder_;
  int version_;
};

}  // namespace sigwhy::experiment
