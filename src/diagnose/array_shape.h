// An array as bytes: which it may touch by its shape and strides, which it has, and which element lies where. Strides
// may be negative, zero (broadcast) or hand-made; a view may claim more than the memory it is a view of.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/python.h"

namespace sigwhy::diagnose {

struct Span {
  std::uint64_t low = 0, high = 0;  // [low, high)
  bool holds(std::uint64_t a) const { return low <= a && a < high; }
  bool holds(const Span& other) const { return low <= other.low && other.high <= high; }
  std::uint64_t bytes() const { return high - low; }
};

// From the first byte of its lowest element to the last of its highest. Absent: it has no elements, or its numbers
// fit into no address space.
std::optional<Span> elements_of(const Array& array);
// The memory behind it: its own, or that of the object at the end of its base chain.
std::optional<Span> memory_of(const Array& array);
// Shape and strides lead out of its memory.
bool leaves_memory(const Array& array);

std::uint64_t element_count(const Array& array);
// Element follows element without a gap, in the order of the indices.
bool is_contiguous(const Array& array);

// No two elements share a byte: a byte then belongs to one index only. Sliding windows do share.
bool has_distinct_elements(const Array& array);

// The index of the element that this byte belongs to. Absent: between elements, or outside.
// Where elements share bytes, one of several.
std::optional<std::vector<std::int64_t>> element_at(const Array& array, std::uint64_t address);

}  // namespace sigwhy::diagnose
