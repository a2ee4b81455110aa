#include "guard/state.h"

#include <sys/auxv.h>

#include <cstring>

#include "guard/blocks.h"
#include "guard/code_ranges.h"
#include "guard/contexts.h"
#include "guard/heap.h"
#include "guard/memory_limit.h"
#include "guard/next.h"
#include "guard/python_frames.h"
#include "guard/region.h"
#include "guard/requests.h"

extern "C" int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* library);

namespace sigwhy::guard {

// Alone on its page, and not zero, so that it lies in a mapping that bears the library's name.
alignas(page_bytes) Header header = {
    .magic = {magic[0], magic[1], magic[2], magic[3], magic[4], magic[5], magic[6], magic[7]},
    .version = version,
    .bytes = sizeof(Header),
};

Route route;
bool operators_replaced;
constinit thread_local Thread thread;

namespace {

bool settled;  // the mode will not change any more

constexpr long for_ever = 1L << 62;

void before_fork() {
  take_outside_lock();
  region_lock.lock();
  take_context_lock();
}

void after_fork_in_parent() {
  release_context_lock();
  region_lock.unlock();
  release_outside_lock();
}

const char* value_of(const char* name, char** environment) {
  const std::size_t length = std::strlen(name);
  for (; environment && *environment; ++environment)
    if (std::strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') return *environment + length + 1;
  return nullptr;
}

struct Wish {
  Mode mode = Mode::off;
  Pages pages = Pages::markers;
};

// "all", "before", "sampled"; "all,protection" leaves the kernel's guard markers unused, as on an older kernel.
Wish wish_in(const char* text) {
  Wish wish;
  if (!text) return wish;
  const auto begins = [&](const char* word) { return std::strncmp(text, word, std::strlen(word)) == 0; };
  wish.mode = begins("all") ? Mode::all : begins("before") ? Mode::before : begins("sampled") ? Mode::sampled : Mode::off;
  if (std::strstr(text, ",protection")) wish.pages = Pages::protection;
  return wish;
}

u64 number_in(const char* text) {
  u64 number = 0;
  for (; text && *text >= '0' && *text <= '9'; ++text) number = number * 10 + static_cast<u64>(*text - '0');
  return number;
}

// Every run another, unless a number is given.
u64 seed_in(const char* text) {
  if (text && *text) return number_in(text);
  u64 seed = 0;
  constexpr long not_waiting = 1;
  if (raw_call(SYS_getrandom, reinterpret_cast<long>(&seed), sizeof seed, not_waiting) != sizeof seed)
    seed = __builtin_ia32_rdtsc() ^ u64{raw_pid()} << 32;
  return seed;
}

// Odd ones from 0x81 to 0xfd: as an address they lead nowhere, as an index too far, and none is the canary's.
void choose_fill_bytes(u64 seed) {
  constexpr u64 first = 0x81, choices = 63;
  static_assert(canary_byte % 2 == 0);
  const u64 mixed = (seed ^ seed >> 33) * 0xff51afd7ed558ccd >> 16;
  const u64 one = mixed % choices, other = (one + 1 + mixed / choices % (choices - 1)) % choices;
  header.seed = seed;
  header.fill_byte = static_cast<u8>(first + 2 * one);
  header.freed_fill_byte = static_cast<u8>(first + 2 * other);
}

// The tables are touched as they are used; but where addresses are limited, each counts.
u32 fitting(u32 wanted, u64 bytes_each) {
  const u64 allowed = address_limit_bytes() / 32;
  while (wanted > 1 && wanted * bytes_each > allowed) wanted /= 2;
  return wanted;
}

bool prepare(Wish wish) {
  const bool sampled = wish.mode == Mode::sampled;
  const u32 records = fitting(sampled ? 1 << 15 : 1 << 20, sizeof(Block));
  const u32 contexts = fitting(sampled ? 1 << 12 : 1 << 16, sizeof(Context));
  constexpr u32 too_few = 64;
  if (contexts >= too_few && make_tables(records) && make_contexts(contexts, sampled ? 1 << 9 : contexts) && reserve_region(wish.pages, sampled)) return true;
  note_limit(no_memory);
  return false;
}

[[gnu::constructor]] void start(int, char**, char** environment) {
  if (route == Route::unknown) find_route();
  const Wish wish = wish_in(value_of(mode_variable, environment));
  header.pid = raw_pid();
  header.started_ns = monotonic_ns();
  choose_fill_bytes(seed_in(value_of(seed_variable, environment)));
  if (wish.mode != Mode::off && route == Route::c_library && !getauxval(AT_SECURE) && prepare(wish)) {
    find_python();
    keep_fresh(number_in(value_of(fresh_variable, environment)));
    if (wish.mode == Mode::sampled) measure_page_cost();
    __register_atfork(before_fork, after_fork_in_parent, after_fork_in_child, &header);
    header.mode = wish.mode;
  }
  settled = true;
  frees_pass = route == Route::c_library && !pool_used && !guards_all();
  deletes_pass = frees_pass && !operators_replaced;
}

[[gnu::destructor]] void end() {
  if (guards_all()) check_live_blocks();
}

}  // namespace

void after_fork_in_child() {
  give_up_context_lock();
  region_lock.reset();
  give_up_outside_locks();
  give_up_reading();
  header.pid = raw_pid();
  thread.tid = 0;
}

u32 thread_id() {
  if (!thread.tid) thread.tid = raw_tid();
  return thread.tid;
}

u32 now_ms() { return static_cast<u32>((monotonic_ns() - header.started_ns) / 1'000'000); }

u64 random_number() {
  u64& x = thread.random;
  if (!x) x = (monotonic_ns() ^ u64{thread_id()} << 40) | 1;
  x ^= x << 13;
  x ^= x >> 7;
  return x ^= x << 17;
}

void add_counts(u64 bytes) {
  // Of those that went past, as many as the countdown has lost since it was looked at.
  count(header.allocations, 1 + static_cast<u64>(thread.counted_from - thread.countdown));
  thread.counted_from = thread.countdown;
  count(header.allocated_bytes, bytes + thread.allocated_bytes);
  thread.allocated_bytes = 0;
  if (settled && !guards()) thread.counted_from = thread.countdown = for_ever;
}

void note_limit(u32 limit) { __atomic_fetch_or(&header.limits, limit, __ATOMIC_RELAXED); }

}  // namespace sigwhy::guard
