#include "guard/sampling.h"

#include <time.h>

#include <atomic>

#include "guard/blocks.h"
#include "guard/code_ranges.h"
#include "guard/memory_limit.h"
#include "guard/state.h"

namespace sigwhy::guard {

struct SeenSite {
  u32 tag;  // which of the places that share this entry; 0: none yet
  u32 visits;
  u32 guarded;
  u32 freed;         // of those
  u32 waiting;       // allocations since the last that was recorded
  u32 last;          // the record of that one
  u32 last_tenants;  // which tells whether it is still that one's; 0: there is none
  u32 last_alone;    // what it stands for without those
};

namespace {

constexpr u64 middle_to_bytes = 1 << 20;
constexpr u64 always_fresh_from_bytes = 32 << 20;  // glibc's largest threshold for a mapping of its own
constexpr std::int64_t bucket_cycles = 1 << 24;    // some 5 ms: no burst is longer

enum Kind : u32 { small, middle, large, kinds };
// One part in so many of the time that passes. What is charged is about half of what it costs: page tables and caches
// are not seen from here. Twice as much was measured at 1.04 to 1.07 times the bare run on Keras, this at 1.02.
constexpr std::int64_t share_of_time[kinds] = {300, 200, 200};

std::atomic<std::int64_t> buckets[kinds] = {bucket_cycles / 2, bucket_cycles / 2, bucket_cycles / 2};
u64 cycles_per_page = 4000;  // to touch one for the first time; measured at the start

// Small blocks have thousands of places; those of the larger ones are kept apart, or they would be pushed out.
constexpr u32 small_bits = 11, larger_bits = 9, site_count = (1 << small_bits) + (1 << larger_bits);
constexpr u32 fewest_recorded = 4;  // before a place counts as one that gives nothing back
SeenSite sites[site_count];

Kind kind_of(u64 bytes) { return bytes < large_from_bytes ? small : bytes < middle_to_bytes ? middle : large; }

u64 processor_ns() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<u64>(used.tv_sec) * 1'000'000'000 + static_cast<u64>(used.tv_nsec);
}

// By the time that passes or that the program computes, whichever is less: on a machine that is busy with others the
// clock runs on while the program does not, and many threads compute more than the one that allocates.
void fill_buckets() {
  static std::atomic<u32> filling{0};
  static std::atomic<u64> last_cycles{0};
  static u64 last_ns, last_processor_ns;
  constexpr u64 often_enough = 1 << 21;  // cycles, somewhat under a millisecond
  const u64 cycles = __builtin_ia32_rdtsc(), before = last_cycles.load(std::memory_order_relaxed);
  u32 idle = 0;
  if (cycles - before < often_enough || !filling.compare_exchange_strong(idle, 1, std::memory_order_acquire)) return;
  const u64 ns = monotonic_ns(), used_ns = processor_ns();
  const u64 passed = ns - last_ns, used = used_ns - last_processor_ns;
  if (before && cycles > before && passed) {
    const u64 counted = used < passed ? used : passed;
    const auto more = static_cast<std::int64_t>((cycles - before) / 1024 * counted / passed * 1024);
    for (u32 kind = 0; kind < kinds; ++kind) {
      const auto now = buckets[kind].fetch_add(more / share_of_time[kind], std::memory_order_relaxed);
      if (now > bucket_cycles) buckets[kind].store(bucket_cycles, std::memory_order_relaxed);
    }
  }
  last_ns = ns;
  last_processor_ns = used_ns;
  last_cycles.store(cycles, std::memory_order_relaxed);
  filling.store(0, std::memory_order_release);
}

// The instruction that calls, the next few return addresses, and the size: torch and TensorFlow make all their arrays
// at one place.
u64 hash_of_visit(u64 bytes, const Caller& caller) {
  constexpr u32 words_looked_at = 32, callers_told = 4;
  u64 hash = caller.pc * 0x9e3779b97f4a7c15 + static_cast<u64>(__builtin_clzll(bytes | 1));
  const CodeRanges& code = code_ranges(caller.pc);
  const u64* stack = reinterpret_cast<const u64*>(caller.sp());
  const u64 page_end = round_down(caller.sp(), page_bytes) + page_bytes;
  u32 told = 0;
  for (u32 i = 0; i < words_looked_at && told < callers_told; ++i) {
    if (reinterpret_cast<u64>(stack + i + 1) > page_end) break;
    if (!code.holds(stack[i])) continue;
    hash = (hash ^ stack[i]) * 0x9e3779b97f4a7c15;
    ++told;
  }
  return hash;
}

constexpr u32 tag_mask = ~u32{0} << 13;
static_assert(site_count <= ~tag_mask);

// Of the two entries that it may have, the one that is used less makes room.
SeenSite& site_of_visit(u64 bytes, const Caller& caller) {
  const u64 hash = hash_of_visit(bytes, caller);
  const u32 tag = (static_cast<u32>(hash >> 16) & tag_mask) | 1;
  const bool is_small = kind_of(bytes) == small;
  SeenSite* const pair = &sites[is_small ? hash >> (64 - small_bits) & ~u64{1}
                                         : (1 << small_bits) + (hash >> (64 - larger_bits) & ~u64{1})];
  if (pair[0].tag == tag) return pair[0];
  if (pair[1].tag == tag) return pair[1];
  SeenSite& less = pair[1].visits < pair[0].visits ? pair[1] : pair[0];
  less = {};
  less.tag = tag;
  return less;
}

void count_last(const SeenSite& site) {
  if (!site.last_tenants || static_cast<u32>(blocks[site.last].tenants) != site.last_tenants) return;
  const bool keeps_all = !site.freed && site.guarded >= fewest_recorded;
  blocks[site.last].stands_for = site.last_alone + (keeps_all ? site.waiting : 0);
}

long next_countdown(std::int64_t cycles) {
  const long mean = cycles <= 0 ? 1024 : cycles > bucket_cycles / 2 ? 32 : 192;
  return mean / 2 + static_cast<long>(random_number() % static_cast<u64>(mean));
}

// Where nothing can be bought, to tell the places of middle blocks apart would cost more than the allocations do: about
// every eighth is looked at, and stands for those that went past since. By chance, or a loop's rhythm would decide which.
bool looks_past() {
  if (thread.unseen + 1 < thread.look_after) {
    ++thread.unseen;
    return true;
  }
  thread.look_after = 1 + static_cast<u32>(random_number() % 15);
  return false;
}

bool choose(SeenSite& site, std::int64_t cycles) {
  ++site.visits;
  const bool rich = cycles > bucket_cycles / 2;
  const bool rare = u64{site.guarded} * site.guarded <= site.visits;
  if (!rich && !rare) return false;
  ++site.guarded;
  return true;
}

}  // namespace

bool worth_guarding(u64 bytes, const Caller& caller) {
  const Kind kind = kind_of(bytes);
  fill_buckets();
  const std::int64_t cycles = buckets[kind].load(std::memory_order_relaxed);
  const long period = thread.period ? thread.period : 1;
  if (thread.countdown <= 0) {
    thread.countdown = thread.counted_from = thread.period =
        next_countdown(buckets[small].load(std::memory_order_relaxed));
  }
  if (kind == middle && cycles <= 0 && looks_past()) return false;
  SeenSite& site = site_of_visit(bytes, caller);
  site.waiting += kind == small ? static_cast<u32>(period) : kind == middle ? thread.unseen + 1 : 1;
  if (kind == middle) thread.unseen = 0;
  if (cycles <= 0 || !choose(site, cycles)) {
    count_last(site);
    return false;
  }
  thread.chosen_at = &site;
  return true;
}

void note_recorded(u32 index) {
  SeenSite* const site = thread.chosen_at;
  thread.chosen_at = nullptr;
  blocks[index].stands_for = 1;
  links[index].seen_at = 0;
  if (guards_all() || !site || !site->waiting) return;
  const u32 stands_for = site->waiting;
  site->waiting = 0;
  count_last(*site);
  site->last = index;
  site->last_tenants = static_cast<u32>(blocks[index].tenants);
  site->last_alone = blocks[index].stands_for = stands_for;
  links[index].seen_at = static_cast<u32>(site - sites) | (site->tag & tag_mask);
}

void note_freed(u32 index) {
  const u32 seen_at = links[index].seen_at;
  SeenSite& site = sites[seen_at & ~tag_mask];
  if (!seen_at || ((site.tag ^ seen_at) & tag_mask)) return;
  ++site.freed;
  count_last(site);
}

Paid::~Paid() {
  if (header.mode != Mode::sampled) return;
  const u64 pages = bytes_ >= always_fresh_from_bytes ? 0 : pages_;
  const u64 cost = __builtin_ia32_rdtsc() - began_ + pages * cycles_per_page;
  // Asleep in between, or moved to another core: not our work.
  constexpr u64 most = u64{bucket_cycles} * 8;
  buckets[kind_of(bytes_)].fetch_sub(static_cast<std::int64_t>(cost < most ? cost : most), std::memory_order_relaxed);
}

// The least of a few times: whoever is interrupted meanwhile would be stingy for the rest of the run.
void measure_page_cost() {
  constexpr u64 times = 4, pages = 4, slowest = 40'000;
  const u64 start = map_pages(0, times * pages * page_bytes, PROT_READ | PROT_WRITE);
  if (!start) return;
  cycles_per_page = slowest;
  for (u64 time = 0, page = start; time < times; ++time) {
    const u64 began = __builtin_ia32_rdtsc();
    for (u64 i = 0; i < pages; ++i, page += page_bytes) *reinterpret_cast<volatile char*>(page) = 1;
    const u64 each = (__builtin_ia32_rdtsc() - began) / pages;
    if (each < cycles_per_page) cycles_per_page = each;
  }
  raw_call(SYS_munmap, static_cast<long>(start), times * pages * page_bytes);
}

u64 resident_pages() {
  static std::atomic<u64> resident{0};
  static std::atomic<u32> read_again_at_ms{0};
  const u32 now = now_ms();
  if (now >= read_again_at_ms.load(std::memory_order_relaxed)) {
    read_again_at_ms.store(now + 500, std::memory_order_relaxed);
    char text[64];
    if (read_small_file("/proc/self/statm", text, sizeof text)) {
      const char* at = text;
      while (*at && *at != ' ') ++at;
      u64 pages = 0;
      for (at += *at == ' '; *at >= '0' && *at <= '9'; ++at) pages = pages * 10 + static_cast<u64>(*at - '0');
      resident.store(pages, std::memory_order_relaxed);
    }
  }
  return resident.load(std::memory_order_relaxed);
}

u64 sampled_page_allowance() {
  const u64 allowed = resident_pages() / 40;
  return allowed < 64 ? 64 : allowed > 16384 ? 16384 : allowed;
}

}  // namespace sigwhy::guard
