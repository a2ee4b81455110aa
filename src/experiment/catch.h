// What the guarded heap caught in one run, in terms that do not depend on where things lay: which instruction, which
// block, which byte of it. A bad access may land beside a block that it never belonged to (a walk in large steps from
// another one); but the guard places its blocks differently in every run, so only an access that belongs to the block
// meets the same byte of it each time. The same holds for values that were never set: they follow the fill byte.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/finding.h"
#include "evidence/snapshot.h"

namespace sigwhy::experiment {

struct Catch {
  Cause cause = Cause::unknown;
  bool proven_alone = false;  // that one run leaves no doubt
  bool from_books = false;    // found by the guard itself, not by an access that the CPU refused
  std::string instruction;    // "libcrop.so + 0x11a2"
  std::string block;          // size, state and who made it; empty: no block is named
  std::optional<std::int64_t> offset;  // of the access, from the block's start
  int fill_byte = 0;
  // An older block had the same place: it may have been that one's byte. What was caught says nothing of the block; a
  // run in which blocks of this size get fresh places does.
  std::optional<std::uint64_t> reused_bytes;
};

// "libop.so + 0x1a2c": the same in every run. Empty: in no file.
std::string place_in_module(const Snapshot& snapshot, Address pc);
Catch catch_of(const Snapshot& snapshot, const Finding& finding);

// The same instruction and the same block, wherever that lay.
bool are_alike(const std::vector<Catch>& catches);

// In runs that each laid out the heap in another way: is it one and the same access to one and the same block?
bool are_one(const std::vector<Catch>& catches);

}  // namespace sigwhy::experiment
