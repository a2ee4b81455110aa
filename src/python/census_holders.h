// From the tree of names to the few that are worth telling: "the container, not each element".
#pragma once
#include "python/census_room.h"
#include "python/census_walk.h"

namespace sigwhy::python {

// Marks the nodes that are holders; then each node's figures are those of all it holds and no other holder does.
void choose_holders(CensusRoom& room);

// The record, from what the walk left in the room.
std::size_t write_census(const Objects& objects, CensusRoom& room, const CensusWalk& walk, std::span<std::byte> into);

}  // namespace sigwhy::python
