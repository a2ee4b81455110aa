// The guarded heap itself: what a hooked call does once it is known that it is ours to do.
#pragma once
#include "guard/caller.h"
#include "guard/placement.h"
#include "guard/wire.h"

namespace sigwhy::guard {

struct Request {
  Call call;
  Shape shape;
  bool zeroed = false;
};

// Null: could not be guarded or recorded; ask the C library.
void* make_block(const Request& request, const Caller& caller);

// False: not ours, and for the C library to free. Ends the program where the mode says so and the call is wrong.
bool end_block(void* p, Call call, const Caller& caller);

// A large live guarded block made larger without a copy; null: not possible, or not worth it.
void* grow_block(void* p, const Request& request, const Caller& caller);

// What was asked for; false: not ours.
bool block_bytes(const void* p, u64& bytes);

// In the addresses of some guarded block, live or freed.
bool lies_in_slot(const void* p);

// p is where a live guarded block starts.
bool is_live_block(const void* p);

// Canaries of all blocks that are still live.
void check_live_blocks();

}  // namespace sigwhy::guard
