#include "guard/requests.h"

#include <errno.h>
#include <stdlib.h>

#include <cstring>

#include "guard/loader.h"
#include "guard/next.h"

namespace sigwhy::guard {

bool frees_pass;
bool deletes_pass;

namespace {

constexpr u64 largest = ~u64{0} >> 1;

bool is_power(u64 value) { return value && (value & (value - 1)) == 0; }

void* from_c_library(const Request& request) {
  if (request.shape.alignment > 16) return __libc_memalign(request.shape.alignment, request.shape.bytes);
  return request.zeroed ? __libc_calloc(1, request.shape.bytes) : __libc_malloc(request.shape.bytes);
}

void* plain(const Request& request) {
  void* p = from_c_library(request);
  if (!p && guards() && request.shape.bytes <= largest && shrink_region()) p = from_c_library(request);
  return p;
}

bool is_wanted(u64 bytes, const Caller& caller) {
  if (passes(bytes)) return false;
  add_counts(bytes);
  if (!guards() || thread.busy || bytes > largest) return false;
  return guards_all() || worth_guarding(bytes, caller);
}

void* refuse(int error) {
  errno = error;
  return nullptr;
}

}  // namespace

void* allocate(const Request& request, const Caller& caller) {
  if (is_wanted(request.shape.bytes, caller))
    if (void* p = make_block(request, caller)) return p;
  return plain(request);
}

void* allocate_zeroed(u64 count, u64 bytes, const Caller& caller) {
  u64 product;
  if (__builtin_mul_overflow(count, bytes, &product)) return refuse(ENOMEM);
  return allocate({.call = Call::calloc_, .shape = {.bytes = product, .alignment = 16}, .zeroed = true}, caller);
}

void* allocate_aligned(Call call, u64 alignment, u64 bytes, const Caller& caller) {
  constexpr u64 most_guarded = 1 << 20;  // the slot must hold an aligned place: larger ones are not worth it
  if (alignment < 16) alignment = 16;
  if (!is_power(alignment) || alignment > most_guarded) return __libc_memalign(alignment, bytes);
  return allocate({.call = call, .shape = {.bytes = bytes, .alignment = alignment}}, caller);
}

void* allocate_pages(u64 bytes, const Caller& caller) {
  if (bytes > largest) return refuse(ENOMEM);
  return allocate_aligned(Call::pvalloc_, page_bytes, round_up(bytes, page_bytes), caller);
}

int allocate_to(void** to, u64 alignment, u64 bytes, const Caller& caller) {
  if (alignment % sizeof(void*) || !is_power(alignment)) return EINVAL;
  const int before = errno;
  void* p = allocate_aligned(Call::posix_memalign_, alignment, bytes, caller);
  errno = before;
  if (!p) return ENOMEM;
  *to = p;
  return 0;
}

// The C++ library's own operator new calls the program's new-handler, tries again, and throws.
void* allocate_or_throw(const Request& request, const Caller& caller) {
  const bool aligned = request.shape.alignment > 16;
  if (void* p = allocate_aligned(request.call, request.shape.alignment, request.shape.bytes, caller)) return p;
  const char* symbol = request.call == Call::new_ ? aligned ? "_ZnwmSt11align_val_t" : "_Znwm"
                                                  : aligned ? "_ZnamSt11align_val_t" : "_Znam";
  void* next = next_definition(symbol);
  if (!next) abort();
  if (aligned) return reinterpret_cast<void* (*)(u64, u64)>(next)(request.shape.bytes, request.shape.alignment);
  return reinterpret_cast<void* (*)(u64)>(next)(request.shape.bytes);
}

void* reallocate(Call call, void* p, u64 bytes, const Caller& caller) {
  if (!p) return allocate({.call = call, .shape = {.bytes = bytes, .alignment = 16}}, caller);
  if (bytes == 0) {
    release(call, p, caller);
    return nullptr;
  }
  if (is_from_pool(p)) {
    void* moved = allocate({.call = call, .shape = {.bytes = bytes, .alignment = 16}}, caller);
    if (moved) std::memcpy(moved, p, bytes < 256 ? bytes : 256);
    return moved;
  }
  u64 old_bytes = 0;
  const bool recorded = block_bytes(p, old_bytes);
  if (!recorded && !lies_in_slot(p)) {
    if (!guards_all() || thread.busy) return __libc_realloc(p, bytes);
    old_bytes = usable_bytes(p);
  }
  if (lies_in_slot(p) && !is_live_block(p)) {
    release(call, p, caller);  // says what is wrong
    return nullptr;
  }
  const Request request{.call = call, .shape = {.bytes = bytes, .alignment = 16}};
  if (guards_all() && !thread.busy && is_live_block(p))
    if (void* grown = grow_block(p, request, caller)) return grown;
  void* moved = allocate(request, caller);
  if (!moved) return nullptr;
  std::memcpy(moved, p, old_bytes < bytes ? old_bytes : bytes);
  release(call, p, caller);
  return moved;
}

void* reallocate_array(void* p, u64 count, u64 bytes, const Caller& caller) {
  u64 product;
  if (__builtin_mul_overflow(count, bytes, &product)) return refuse(ENOMEM);
  return reallocate(Call::reallocarray_, p, product, caller);
}

void release(Call call, void* p, const Caller& caller) {
  if (!p || is_from_pool(p)) return;
  if (thread.busy || !guards()) {
    // A signal handler in the middle of the guard: what is ours is left as it is.
    if (!lies_in_slot(p)) __libc_free(p);
    return;
  }
  if (!end_block(p, call, caller)) __libc_free(p);
}

u64 usable_size(void* p) {
  if (!p || is_from_pool(p)) return 0;
  u64 bytes = 0;
  return block_bytes(p, bytes) ? bytes : usable_bytes(p);
}

}  // namespace sigwhy::guard
