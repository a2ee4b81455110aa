#include "guard/canaries.h"

#include <cstring>

#include "guard/placement.h"

namespace sigwhy::guard {

namespace {

struct Slack {
  u64 start, end;
};

Slack front(const Block& block) {
  if (!block.mapping) return {block.start, block.start};
  return {touched(block.start, block.bytes).start, block.start};
}

Slack back(const Block& block) {
  const u64 end = block.start + block.bytes;
  if (!block.mapping) return {end, end + canary_tail_bytes};
  const Span pages = touched(block.start, block.bytes);
  return {end, pages.start + pages.bytes};
}

void fill(Slack slack) { std::memset(reinterpret_cast<void*>(slack.start), canary_byte, slack.end - slack.start); }

// The first and last changed byte; first == end if there is none.
Slack changed(Slack slack) {
  constexpr u64 word = u64{0x0101010101010101} * canary_byte;
  u64 first = slack.start;
  for (; first < slack.end && first % 8; ++first)
    if (*reinterpret_cast<u8*>(first) != canary_byte) break;
  if (first % 8 == 0)
    while (first + 8 <= slack.end && *reinterpret_cast<u64*>(first) == word) first += 8;
  while (first < slack.end && *reinterpret_cast<u8*>(first) == canary_byte) ++first;
  u64 end = slack.end;
  while (end > first && *reinterpret_cast<u8*>(end - 1) == canary_byte) --end;
  return {first, end};
}

}  // namespace

void write_canaries(const Block& block) {
  fill(front(block));
  fill(back(block));
}

bool find_damage(Block& block) {
  const bool may_be_closed = has_whole_page(block.start, block.bytes);
  for (const Slack& slack : {back(block), front(block)}) {
    if (may_be_closed && slack.start < slack.end && !(is_readable(slack.start) && is_readable(slack.end - 1))) continue;
    const Slack found = changed(slack);
    if (found.start >= found.end) continue;
    block.damage_offset = static_cast<std::int64_t>(found.start - block.start);
    block.damage_bytes = found.end - found.start;
    const u64 kept = block.damage_bytes < damage_bytes_kept ? block.damage_bytes : damage_bytes_kept;
    std::memcpy(block.damage, reinterpret_cast<void*>(found.start), kept);
    return true;
  }
  return false;
}

}  // namespace sigwhy::guard
