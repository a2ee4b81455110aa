// Other allocators. Where malloc is not the C library's (jemalloc or tcmalloc, preloaded, linked or built into the
// program) nothing is guarded and every call goes where it would have gone without us.
#pragma once
#include "guard/state.h"

namespace sigwhy::guard {

// Sets `route` and `operators_replaced`. Asking the loader can itself ask for memory: until it has answered, that comes from a small pool.
void find_route();

void* from_pool(u64 bytes);
bool is_from_pool(const void* p);
extern bool pool_used;

}  // namespace sigwhy::guard
