// One quiet look at what holds the memory, shortly before it runs out: where program and sigwhy are killed together
// nobody can look afterwards. It stops nothing, takes a twentieth of a second at most, and is made once a run. Near
// the end there is no memory to be had, and to ask for some could cost the program its life: so all that the look
// needs is taken while there is plenty.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <span>

#include "capture/grab_census.h"
#include "capture/run_record.h"

namespace sigwhy::capture {

// How near the end is, by the readings so far. `firm_bytes`: of the group's use, what the kernel cannot take back.
enum class Nearness { far, on_the_way, near };
Nearness nearness_of(const RunRecord& record, std::uint64_t firm_bytes);

class HoldersLook {
 public:
  ~HoldersLook();

  // Takes the memory that a look needs; how much is measured by `limit_bytes` (0: none).
  bool prepare(std::uint64_t limit_bytes);
  bool is_ready() const { return !scratch_.empty(); }

  // False where it is no Python that can be read.
  bool look(const LivingProcess& process, double at_s);
  // What the last look saw; `bytes` is 0 where there was none.
  const RecordedHolders& seen() const { return *seen_; }

 private:
  std::unique_ptr<RecordedHolders> seen_ = std::make_unique<RecordedHolders>();
  std::span<std::byte> scratch_;
};

}  // namespace sigwhy::capture
