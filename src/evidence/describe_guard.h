// The part of describe.h that is about the guarded heap and re-runs.
#pragma once
#include "evidence/guarded_heap.h"
#include "evidence/outcome.h"

namespace sigwhy {

template <class V> void describe(V& v, HeapEvent& x) {
  v.field("tid", x.tid, "the thread that called");
  v.field("at_seconds", x.at_seconds, "since the guard was loaded");
  v.field("call", x.call, "malloc, posix_memalign, operator delete[], ...");
  v.field("frames", x.frames, "from where, the caller first; empty: the record was overwritten");
  v.field("python", x.python, "the Python lines, innermost first");
}

template <class V> void describe(V& v, HeapDamage& x) {
  v.field("offset", x.offset, "of the first changed byte from the block's start; negative: in front of it");
  v.field("bytes", x.bytes, "from the first changed byte to the last");
  v.field("found_at", x.found_at, "what stands there now, in hex");
}

template <class V> void describe(V& v, HeapRecord& x) {
  v.field("start", x.start, "what the allocator returned");
  v.field("bytes", x.bytes, "what was asked for");
  v.field("alignment", x.alignment, "what was asked for or owed");
  v.field("state", x.state, "in use or freed");
  v.field("guarded", x.guarded, "an inaccessible page lies beside it");
  v.field("mapping", x.mapping, "first byte of the addresses that are its own, inaccessible pages included");
  v.field("mapping_bytes", x.mapping_bytes, "how many those are");
  v.field("place_reused", x.place_reused, "an older block had the same place");
  v.field("slack_bytes", x.slack_bytes, "between its end and that page");
  v.field("allocated", x.allocated, "the call that made it");
  v.field("freed", x.freed, "the call that gave it back");
  v.field("damage", x.damage, "bytes outside it that were overwritten");
  v.field("roles", x.roles, "why it is kept");
  v.field("array", x.array, "index into arrays: whose data lies in it");
}

template <class V> void describe(V& v, HeapSite& x) {
  v.field("live_blocks", x.live_blocks, "recorded blocks of this call that were never freed");
  v.field("live_bytes", x.live_bytes, "their bytes");
  v.field("share_recorded", x.share_recorded, "of this call's allocations were recorded");
  v.field("allocated", x.allocated, "the latest of them");
  v.field("line", x.line, "of the user's own code that led there, one in a loop if there is any; its name is empty");
}

template <class V> void describe(V& v, GuardedHeap& x) {
  v.field("mode", x.mode, "sampled, all, before");
  v.field("allocations", x.allocations, "calls that were served");
  v.field("allocated_bytes", x.allocated_bytes, "what they asked for");
  v.field("guarded_allocations", x.guarded_allocations, "those with an inaccessible page");
  v.field("guarded_bytes", x.guarded_bytes, "their bytes");
  v.field("live_guarded_blocks", x.live_guarded_blocks, "guarded and not freed at death");
  v.field("at_seconds", x.at_seconds, "when the process was stopped, since the guard was loaded");
  v.field("fill_byte", x.fill_byte, "new memory is filled with it");
  v.field("freed_fill_byte", x.freed_fill_byte, "freed memory is filled with it");
  v.field("stop", x.stop, "what the guard itself found");
  v.field("stopped", x.stopped, "it ended the program for it; else it noted it and went on");
  v.field("stop_address", x.stop_address, "the pointer that was given to free");
  v.field("stop_block", x.stop_block, "index into blocks");
  v.field("stop_event", x.stop_event, "the call in which it was found");
  v.field("blocks", x.blocks, "those that matter for this death");
  v.field("sites", x.sites, "calls whose blocks were never freed, the largest first");
}

template <class V> void describe(V& v, Arm& x) {
  v.field("runs", x.runs, "how often it ran");
  v.field("died", x.died, "of these, how often it died as in this case");
  v.field("otherwise", x.otherwise, "failed in another way");
}

template <class V> void describe(V& v, Outcome& x) {
  v.field("variation", x.variation, "what was changed");
  v.field("change", x.change, "the same in words");
  v.field("cause", x.cause, "of the finding it was about");
  v.field("prediction", x.prediction, "what was to happen if that finding is right");
  v.field("settled", x.settled, "confirmed, refuted, inconclusive");
  v.field("observed", x.observed, "the mechanism itself was seen");
  v.field("as_it_was", x.as_it_was, "runs without the change");
  v.field("changed", x.changed, "runs with it");
  v.field("said", x.said, "the comparison in one sentence");
  v.field("claim", x.claim, "what follows if it is confirmed, where no rule said so before");
  v.field("rival", x.rival, "what else the change moves");
  v.field("why_not", x.why_not, "what stood in the way");
}

template <class V> void describe(V& v, FixTest& x) {
  v.field("fix", x.fix, "what was applied");
  v.field("before", x.before, "runs without it");
  v.field("after", x.after, "runs with it");
}

}  // namespace sigwhy
