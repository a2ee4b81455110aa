// The hooked calls behind their quick way out: argument rules as the C library has them, then the guarded heap or the
// C library's.
#pragma once
#include "guard/c_library.h"
#include "guard/heap.h"
#include "guard/sampling.h"
#include "guard/state.h"

namespace sigwhy::guard {

// May free() go to the C library without a look: nothing is recorded that is not in the region.
extern bool frees_pass;
extern bool deletes_pass;

inline bool passes(u64 bytes) {
  if (thread.countdown <= 0 || bytes >= large_from_bytes) return false;
  --thread.countdown;
  thread.allocated_bytes += bytes;
  return true;
}

inline bool passes_new(u64 bytes) { return !operators_replaced && passes(bytes); }

inline bool passes_product(u64 count, u64 bytes) {
  u64 product;
  return !__builtin_mul_overflow(count, bytes, &product) && passes(product);
}

// operator new does not return null.
template <typename Otherwise>
inline void* made_or(void* p, Otherwise otherwise) {
  return p ? p : otherwise();
}

inline bool passes_free(const void* p) { return frees_pass && !is_ours(p); }
inline bool passes_delete(const void* p) { return deletes_pass && !is_ours(p); }

void* allocate(const Request& request, const Caller& caller);
void* allocate_zeroed(u64 count, u64 bytes, const Caller& caller);
void* allocate_aligned(Call call, u64 alignment, u64 bytes, const Caller& caller);
void* allocate_pages(u64 bytes, const Caller& caller);
int allocate_to(void** to, u64 alignment, u64 bytes, const Caller& caller);
void* allocate_or_throw(const Request& request, const Caller& caller);
void* reallocate(Call call, void* p, u64 bytes, const Caller& caller);
void* reallocate_array(void* p, u64 count, u64 bytes, const Caller& caller);
void release(Call call, void* p, const Caller& caller);
u64 usable_size(void* p);

}  // namespace sigwhy::guard
