#include "guard/next.h"

#include "guard/c_library.h"
#include "guard/hooks.h"
#include "guard/loader.h"

namespace sigwhy::guard {

bool pool_used;

namespace {

alignas(16) u8 pool[32 << 10];
u64 pool_taken;

}  // namespace

void* from_pool(u64 bytes) {
  const u64 needed = round_up(bytes ? bytes : 1, 16);
  if (needed > sizeof pool) return nullptr;
  const u64 at = __atomic_fetch_add(&pool_taken, needed, __ATOMIC_RELAXED);
  if (at + needed > sizeof pool) return nullptr;
  pool_used = true;
  return pool + at;
}

bool is_from_pool(const void* p) { return reinterpret_cast<u64>(p) - reinterpret_cast<u64>(pool) < sizeof pool; }

void find_route() {
  static bool asking = false;
  if (asking) return;
  asking = true;
  // Defined by the program itself, it comes before every preloaded library.
  const void* bound = bound_function("malloc");
  const void* next = bound && bound != our_malloc() ? bound : next_definition("malloc");
  // The well-known ones are told by names of their own too: tcmalloc puts itself in the place of __libc_malloc as well,
  // and the loader cannot always be asked.
  const bool other = has_known_allocator() || (next && next != reinterpret_cast<void*>(&__libc_malloc));
  if (other) note_limit(other_allocator);
  operators_replaced = has_operators_of_its_own();
  if (other || operators_replaced) find_next_functions();
  route = other ? Route::other : Route::c_library;
}

}  // namespace sigwhy::guard
