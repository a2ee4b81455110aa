#include "capture/develop.h"

#include <algorithm>

#include "capture/develop_bounds.h"
#include "capture/develop_guard.h"
#include "capture/develop_inputs.h"
#include "capture/develop_memory_use.h"
#include "capture/develop_module_files.h"
#include "capture/develop_packages.h"
#include "capture/develop_process.h"
#include "capture/develop_timeline.h"
#include "capture/system_calls.h"
#include "inventory/inventory.h"
#include "native/adding_lines.h"
#include "native/array_memory.h"
#include "native/exceptions.h"
#include "native/host.h"
#include "native/instruction.h"
#include "native/lines.h"
#include "native/modules.h"
#include "native/pointers.h"
#include "native/regions.h"
#include "native/source_text.h"
#include "native/counted_index.h"
#include "native/summed_base.h"
#include "native/symbols.h"
#include "native/texts.h"
#include "native/unwind.h"
#include "python/stacks.h"

namespace sigwhy::capture {

namespace {

// A case's JSON stays under a megabyte, whatever died.
constexpr std::size_t most_threads = 128;
constexpr std::size_t most_regions = 4096;
constexpr std::ptrdiff_t neighbours = 16;

std::vector<Address> addresses_that_matter(const Target& target) {
  std::vector<Address> found;
  if (target.signal) found.push_back(Address{reinterpret_cast<std::uint64_t>(target.signal->si_addr)});
  if (target.threads.empty() || !target.threads[0].registers) return found;
  const user_regs_struct& r = *target.threads[0].registers;
  for (const auto value : {r.rax, r.rbx, r.rcx, r.rdx, r.rsi, r.rdi, r.rbp, r.rsp, r.rip, r.r8, r.r9, r.r10, r.r11,
                           r.r12, r.r13, r.r14, r.r15})
    found.push_back(Address{value});
  return found;
}

void keep_fewer_threads(Snapshot& s) {
  if (s.threads.size() <= most_threads) return;
  s.gaps.push_back({std::to_string(s.threads.size() - most_threads) + " more threads",
                    "a case keeps 128 of them", ""});
  s.threads.resize(most_threads);
}

// Thousands of threads mean thousands of stacks with guards, all alike: only those near something that matters stay.
void keep_fewer_regions(const Target& target, Snapshot& s) {
  if (s.regions.size() <= most_regions) return;
  std::vector<bool> kept(s.regions.size());
  for (std::size_t i = 0; i < s.regions.size(); ++i) {
    const auto kind = s.regions[i].kind;
    kept[i] = kind != RegionKind::guard && kind != RegionKind::thread_stack && kind != RegionKind::anonymous;
  }
  for (const Address a : addresses_that_matter(target)) {
    const auto after = std::ranges::upper_bound(s.regions, a, {}, &Region::start) - s.regions.begin();
    const auto low = std::max<std::ptrdiff_t>(0, after - neighbours);
    const auto high = std::min<std::ptrdiff_t>(std::ssize(s.regions), after + neighbours);
    std::fill(kept.begin() + low, kept.begin() + high, true);
  }
  std::vector<Region> fewer;
  for (std::size_t i = 0; i < s.regions.size(); ++i)
    if (kept[i]) fewer.push_back(std::move(s.regions[i]));
  s.gaps.push_back({std::to_string(kept.size() - fewer.size()) + " more mappings",
                    "stacks, guards and anonymous memory far from everything that matters are left out of a case", ""});
  s.regions = std::move(fewer);
}

// The file behind the address that could not be read decides between a truncated file and a full file system.
void look_at_files(const Target& target, Snapshot& s) {
  for (const Pointer& p : s.pointers)
    if (p.role == "fault" && p.region) native::look_at_file(target, s.regions[*p.region]);
}

std::vector<Frame> dying_frames(const Snapshot& s) {
  const auto thread = std::ranges::find_if(s.threads, &Thread::died);
  return thread == s.threads.end() ? std::vector<Frame>() : thread->frames;
}

void add_last_words(const Target& target, Snapshot& s) {
  if (auto tail = native::stderr_tail(target)) s.texts.push_back(*tail);
}

void add_doings(const Target& target, std::vector<Thread>& threads) {
  for (Thread& thread : threads) {
    const auto raw = std::ranges::find(target.threads, thread.tid, &RawThread::tid);
    if (raw == target.threads.end()) continue;
    thread.on_cpu = raw->on_cpu;
    if (!raw->system_call) continue;
    const char* name = system_call_name(*raw->system_call);
    thread.system_call = name ? name : "system call " + std::to_string(*raw->system_call);
  }
}

}  // namespace

Snapshot develop(const Target& target, python::ValuesPolicy values) {
  Snapshot s;
  for (const RawGap& gap : target.gaps) s.gaps.push_back({gap.what, gap.why, gap.remedy});
  s.host = native::this_host();
  s.termination = termination_of(target);
  s.process = process_of(target);
  s.memory_bounds = bounds_of(target);
  s.timeline = timeline_of(target);
  if (target.threads.empty()) {  // it ended by itself, and said why at best
    add_last_words(target, s);
    return s;
  }
  s.modules = native::modules_of(target);
  s.regions = native::regions_of(target);
  keep_fewer_regions(target, s);
  s.threads = native::unwind(target, s.modules, s.gaps);
  keep_fewer_threads(s);
  native::name_frames(target, s.modules, s.threads, s.gaps);
  native::add_lines(target, s.modules, s.threads, s.gaps);
  auto python = python::read_python(target, s.threads, values, s.gaps);
  s.interpreters = std::move(python.interpreters);
  s.arrays = std::move(python.arrays);
  s.python_exceptions = std::move(python.exceptions);
  native::add_source_text(target, s.modules, s.threads, s.python_exceptions);
  add_doings(target, s.threads);
  s.memory_use = memory_use_of(target, s);
  if (s.memory_use) native::add_adding_lines(target, s.threads, s.timeline, *s.memory_use);
  s.inventory = inventory::take_inventory(target, s, s.gaps);
  if (target.living) s.guarded_heap = guarded_heap_of(target, s);
  if (target.living) return s;
  add_packages(target, s);
  native::add_array_memory(target, s.regions, s.arrays);
  s.fault = native::fault_of(target, s.host);
  if (s.fault && values != python::ValuesPolicy::types_only)
    s.fault->index = native::counted_index(target, *s.fault, s.regions, s.arrays);
  if (s.fault) s.fault->summed = native::summed_base(target, *s.fault);
  s.pointers = native::pointers_that_matter(target, s.fault, s.regions, dying_frames(s), s.modules);
  look_at_files(target, s);
  s.texts = native::texts_of(target);
  add_last_words(target, s);
  s.exceptions = native::exceptions_of(target);
  s.guarded_heap = guarded_heap_of(target, s);
  add_inputs(target, s);
  if (target.files.contains("descriptors")) add_module_files(s);  // else it died elsewhere, or long ago
  return s;
}

}  // namespace sigwhy::capture
