// The part of describe.h that is about searches by re-runs. They are answers of their own, no part of a case.
#pragma once
#include "evidence/search.h"

namespace sigwhy {

template <class V> void describe(V& v, SearchDeath& x) {
  v.field("how", x.how, "how it ended");
  v.field("cause", x.cause, "the verdict on it");
  v.field("strength", x.strength, "how firmly");
  v.field("claim", x.claim, "the verdict in a sentence");
}

template <class V> void describe(V& v, Tried& x) {
  v.field("value", x.value, "what was tried");
  v.field("runs", x.runs, "how often");
  v.field("died", x.died, "how many of them died");
  v.field("peak_bytes", x.peak_bytes, "memory at most, of runs that survived");
  v.field("death", x.death, "of its last run that died");
}

template <class V> void describe(V& v, Search& x) {
  v.field("over", x.over, "the name of what was varied");
  v.field("said", x.said, "the answer in a sentence");
  v.field("answered", x.answered, "the search came to its end");
  v.field("survives", x.survives, "the last value that survives");
  v.field("dies", x.dies, "the one next to it");
  v.field("death", x.death, "how that one dies");
  v.field("limit_bytes", x.limit_bytes, "the memory limit that it meets");
  v.field("bytes_per_value", x.bytes_per_value, "by which the peak rises from one value to the next");
  v.field("lines", x.lines, "the lines that kill it, from 1");
  v.field("notes", x.notes, "what else must be known");
  v.field("tried", x.tried, "every value, with its runs");
  v.field("runs", x.runs, "in all");
  v.field("seconds", x.seconds, "in all");
  v.field("in_layer", x.in_layer, "ran in the throw-away layer");
}

}  // namespace sigwhy
