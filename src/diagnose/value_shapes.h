// What a pointer that points nowhere looks like. The bits often tell where it came from:
//   - glibc stores the link of a freed small block as (its own address >> 12) xor next (since 2.32);
//   - debug heaps fill new and freed memory with a byte of their own;
//   - a pointer passed through `int` keeps its low 32 bits, with or without its sign;
//   - -1 is what mmap and many calls return for "failed".
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

enum class Shape {
  failure_value,  // all bits set
  fresh_fill,     // a debug heap's mark for memory that nobody has filled
  freed_fill,     // ... for memory that was given back
  plain_fill,     // one byte eight times over, and no debug heap is known to be at work
  heap_link,      // the link of a freed small block
  freed_mark,     // the number by which malloc knows a freed small block
  cut_pointer,    // the lower half of a pointer into something mapped
  one_bit_off,    // one of the top bits away from something mapped
  data,           // text, floats or numbers, written over a pointer or taken for one
  described,      // anything else that the snapshot says about the bytes
};

struct ValueShape {
  Shape shape;
  std::string words;  // "is ..." goes in front
  std::vector<EvidenceRef> evidence;
};

std::vector<ValueShape> shapes_of(const Facts& facts, std::uint64_t value);
const ValueShape* shape_in(const std::vector<ValueShape>& shapes, Shape shape);

// The value that went wrong: the register the pointer was in, else the address.
std::uint64_t suspect_value(const MemoryFault& memory);

// A virtual call has its object in rdi and the object's first word in the operand: there it is the link that malloc
// writes into a freed block, coded with the block's own address.
bool is_freed_object(const Facts& facts, std::uint64_t first_word);

// A small number where a pointer should be. A member of an object at null lies where its type may lie; a count, a tag or
// a size that was read through the wrong type, or out of memory that is something else by now, lies anywhere.
bool is_small_number(const MemoryFault& memory);

// The block of glibc's heap that the bad pointer was read from, where capture found it ("read from").
std::optional<std::size_t> link_holder(const Facts& facts);

}  // namespace sigwhy::diagnose
