// How the join of an access with an array is said: element, count, distance; and the facts that carry it.
#pragma once
#include <string>
#include <vector>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

std::string index_text(const std::vector<std::int64_t>& index);  // "60,414", "(3, 17)"
// "read element 60,414 of `labels`; it has 60,000 elements, the last is 59,999"
std::string array_access_text(const Facts& facts);
// "element (3, 17) of `labels`", where the address is one; else empty.
std::string element_text(const Facts& facts);

EvidenceRef array_ref(std::size_t array);
// What it is, what ties it to the access, which numbers do not fit.
std::vector<Fact> array_access_facts(const Facts& facts);
// "`addr` (int) holds this address"; nothing where no name does.
std::vector<Fact> named_pointer_facts(const Facts& facts);

// The array whose memory starts here or holds this address; one that a living name holds.
std::optional<std::size_t> array_with_memory(const Facts& facts, Address address);
// The array that ends right in front of this block's header.
std::optional<std::size_t> array_ending_at(const Facts& facts, Address block);

}  // namespace sigwhy::diagnose
