// What a run on the guarded heap leaves, as a real one left it: an op of the user's own reads one element too many, and
// a worker's buffer is used after another thread has freed it.
#pragma once
#include "samples.h"

namespace sigwhy::samples {

inline HeapEvent made_at(const char* call, const char* file, int line, const char* function, double at) {
  HeapEvent e{.tid = 4711, .at_seconds = at, .call = call};
  e.frames = {frame(0x7f1000002000, 2, "PyDataMem_UserNEW"), frame(0x7f1000002400, 2, "PyArray_NewFromDescr_int")};
  e.python = {{.file = file, .function = function, .line = line}, {.file = "/home/ada/nets/train.py", .function = "main", .line = 90}};
  return e;
}

inline Case guarded() {
  auto c = died("4f1c27b0", {"python", "train.py"}, 11, "SIGSEGV", 192);
  add_modules(c);
  Thread t{.tid = 4711, .name = "python", .died = true, .registers = {{"rdi", {0x7f2000001f80}}, {"rip", {0x7f0000001136}}}};
  t.frames = {frame(0x7f0000001136, 1, "crop", Source{"/home/ada/nets/ops/crop.cc", 41, 9, "s += labels[i];"})};
  t.python = {{.file = "/home/ada/nets/train.py", .function = "train_step", .line = 57, .text = "crop(images, labels, n + 1)"}};
  c.snapshot.threads = {t};
  c.snapshot.arrays = {{.name = "labels", .type = "ndarray", .dtype = "int64", .item_bytes = 8, .shape = {60000}, .data = Address{0x7f2000000000}, .bytes = 480000}};
  c.snapshot.arrays[0].holders = {{.name = "labels", .thread = 0, .frame = 0}};
  GuardedHeap heap{.mode = GuardMode::sampled, .allocations = 81234, .allocated_bytes = 912345678, .guarded_allocations = 911, .guarded_bytes = 28123456,
                   .live_guarded_blocks = 40, .at_seconds = 191.9, .fill_byte = 0xbe, .freed_fill_byte = 0xef};
  HeapRecord labels{.start = {0x7f2000000000}, .bytes = 480000, .alignment = 16, .state = BlockState::in_use, .guarded = true};
  labels.mapping = Address{0x7f1fffff0000};
  labels.mapping_bytes = 0x80000;
  labels.allocated = made_at("malloc", "/home/ada/nets/data.py", 18, "load", 0.8);
  labels.roles = {"fault", "rdi"};
  labels.array = 0;
  HeapRecord old{.start = {0x7f2000100f00}, .bytes = 250, .alignment = 64, .state = BlockState::freed, .guarded = true, .slack_bytes = 6};
  old.allocated = made_at("posix_memalign", "/home/ada/nets/data.py", 44, "buffers", 2.5);
  old.freed = made_at("free", "/home/ada/nets/train.py", 40, "drop", 191.7);
  old.freed->tid = 4714;
  old.damage = HeapDamage{.offset = 250, .bytes = 2, .found_at = "0000"};
  heap.blocks = {labels, old};
  heap.sites = {{.live_blocks = 12, .live_bytes = 12u << 20, .share_recorded = 0.25, .allocated = made_at("malloc", "/home/ada/nets/data.py", 18, "load", 190)}};
  c.snapshot.guarded_heap = heap;
  c.snapshot.gaps = {{"most of the heap", "--guard watches a sample: 3 % of the bytes that were allocated", "--guard=all watches every block"}};
  Finding f{.cause = Cause::out_of_bounds, .rule = "out_of_bounds",
            .claim = "crop() in libcrop.so read element 60,000 of `labels`; it has 60,000 elements, the last is 59,999", .strength = Strength::proven};
  f.evidence_for = {{"guard", "`labels` is NumPy int64 (60000,), in a block of 469 KiB, allocated at data.py:18 (malloc)", {{"/guarded_heap/blocks/0"}, {"/arrays/0"}}}};
  f.fix = {"Check the index or the count that crop() uses against the 60,000 elements of `labels`."};
  f.whose = Whose::extension;
  f.retryable = Retryable::no;
  c.diagnosis = {.verdict = Cause::out_of_bounds, .findings = {f}};
  return c;
}

}  // namespace sigwhy::samples
