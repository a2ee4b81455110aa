// vm.max_map_count: a process may have so many mappings, 65,530 unless the machine was told otherwise, however small they
// are. At that number mmap answers ENOMEM while memory is free, and so does everything that maps: files, shared tensors,
// the stacks of threads. malloc() often goes on, for the heap grows without a new mapping.
#pragma once
#include <cstdint>
#include <optional>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct MappingLimit {
  std::uint64_t count = 0;
  std::uint64_t limit = 0;
};

// Absent: they were not counted, or there is room for more.
std::optional<MappingLimit> reached_mapping_limit(const Facts& facts);

// A refusal that it explains: the claim begins with what was refused. Facts and fix are those of the limit alone.
Finding mapping_finding(const Facts& facts, const MappingLimit& limit, Strength strength, const char* refused);

// Memory was refused for it.
std::optional<Finding> refused_mapping(const Facts& facts);

}  // namespace sigwhy::diagnose
