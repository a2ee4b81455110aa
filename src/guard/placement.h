// Where a block lies in its slot. Its end is as near to the inaccessible page behind it as its alignment allows (or,
// in the mode `before`, its start follows the page in front at once). What is left of the pages that it touches is
// slack: an access there goes unnoticed, a write is seen at the block's free by the canaries.
#pragma once
#include "guard/region.h"

namespace sigwhy::guard {

struct Shape {
  u64 bytes;
  u64 alignment;  // a power of two, at least 16
};

// For alignments up to a page, the pages the block needs; beyond, so many that an aligned place is among them.
constexpr u64 pages_needed(Shape shape) {
  const u64 rounded = round_up(shape.bytes ? shape.bytes : 1, shape.alignment < page_bytes ? shape.alignment : page_bytes);
  return (round_up(rounded, page_bytes) + (shape.alignment > page_bytes ? shape.alignment : 0)) / page_bytes;
}

constexpr u64 place(Room room, Shape shape, bool before) {
  if (before) return round_up(room.start, shape.alignment);
  const u64 bytes = shape.bytes ? shape.bytes : 1;
  return round_down(room.end - bytes, shape.alignment);
}

// The pages that the block touches.
constexpr Span touched(u64 start, u64 bytes) {
  const u64 first = round_down(start, page_bytes);
  return {.start = first, .bytes = round_up(start + (bytes ? bytes : 1), page_bytes) - first};
}

// The program may do with such a page what it likes: protect it, unmap it, map something else there. The C library
// unmaps large blocks when they are freed and does not mind.
constexpr bool has_whole_page(u64 start, u64 bytes) { return round_up(start, page_bytes) + page_bytes <= start + bytes; }

static_assert(pages_needed({.bytes = 4096, .alignment = 16}) == 1);
static_assert(pages_needed({.bytes = 4090, .alignment = 64}) == 1);
static_assert(pages_needed({.bytes = 4097, .alignment = 16}) == 2);
static_assert(place({.start = 0x1000, .end = 0x2000}, {.bytes = 100, .alignment = 16}, false) == 0x1f90);

}  // namespace sigwhy::guard
