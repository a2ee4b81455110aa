// Values that were a valid pointer once: shifted by a byte, half overwritten, cut to 32 bits, one bit changed, or
// encoded by glibc as a link between freed blocks. Judged against the address space. All of them match by chance
// when enough is mapped, so each states how much may be and stays silent beyond that.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "evidence/memory.h"
#include "target/target.h"

namespace sigwhy::native {

// From glibc 2.32 on a freed block's link is (its own address >> 12) xor (the next block).
std::vector<std::string> free_list_looks(std::uint64_t value, const Target& target, const std::vector<Region>& regions);
std::vector<std::string> shifted_looks(std::uint64_t value, const std::vector<Region>& regions);
// Cut to 32 bits, or a 32-bit number written over one half.
std::vector<std::string> upper_half_looks(std::uint64_t value, const std::vector<Region>& regions);
std::vector<std::string> lower_half_looks(std::uint64_t value, const std::vector<Region>& regions);
std::vector<std::string> bit_flip_looks(std::uint64_t value, const std::vector<Region>& regions);

}  // namespace sigwhy::native
