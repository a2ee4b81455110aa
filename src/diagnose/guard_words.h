// How a recorded block is said: by the name of the array whose data it holds, else by its size; who made it and who
// gave it back.
#pragma once
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

const HeapRecord& block_at(const Facts& facts, std::size_t block);
EvidenceRef block_ref(std::size_t block);

// "`labels`", "a block of 4,000 bytes"
std::string block_text(const Facts& facts, std::size_t block);
// The block itself: what, how large, allocated where. Carries the id that marks what the guard saw.
Fact block_fact(const Facts& facts, std::size_t block);
// "it was freed by drop() uaf.c:5, 0.2 s before"
Fact freed_fact(const Facts& facts, std::size_t block);

// " by drop() uaf.c:5", " at train.py:40", or nothing.
std::string by_text(const Facts& facts, const HeapEvent& event);

}  // namespace sigwhy::diagnose
