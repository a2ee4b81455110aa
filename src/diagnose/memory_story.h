// Where the memory went, for an end that is no leak: one array, a data set loaded whole, a result that a library
// gathers, a batch, a model, copies, workers, shared memory. A story is no finding: it stands in the evidence and the fix
// of the finding that says how it ended, and promises help only where the numbers say so.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "diagnose/facts.h"
#include "diagnose/memory_growth.h"
#include "evidence/finding.h"

namespace sigwhy::diagnose {

struct Story {
  std::string why;  // one sentence, no trailing full stop
  std::vector<Fact> facts;
  std::vector<std::string> fix;
  Whose whose = Whose::unknown;
};

// What the stories are told from.
struct Memory {
  const Facts& f;
  const MemoryUse& use;
  std::optional<MemoryCurve> curve;
  std::optional<MemoryBound> bound;
  std::uint64_t judged_bytes = 1;
  double share(std::uint64_t bytes) const { return static_cast<double>(bytes) / static_cast<double>(judged_bytes); }
};

// The first that the evidence tells; absent: none does.
std::optional<Story> memory_story(const Facts& facts);

// Puts the story behind the finding's own evidence; its fix takes the place of the general one.
void tell(const Story& story, Finding& finding);

namespace stories {

std::optional<Story> other_processes(const Memory& m);
std::optional<Story> shared_memory(const Memory& m);
std::optional<Story> library_result(const Memory& m);
std::optional<Story> one_array(const Memory& m);
std::optional<Story> bounded_buffer(const Memory& m);
std::optional<Story> loaded_data(const Memory& m);
std::optional<Story> copies(const Memory& m);
std::optional<Story> large_model(const Memory& m);
std::optional<Story> large_batch(const Memory& m);
std::optional<Story> one_holder(const Memory& m);

}  // namespace stories

}  // namespace sigwhy::diagnose
