// The part of describe.h that is about memory: bounds, use, and both over time.
#pragma once
#include "evidence/memory_bounds.h"
#include "evidence/memory_use.h"
#include "evidence/timeline.h"

namespace sigwhy {

template <class V> void describe(V& v, MemoryGroup& x) {
  v.field("path", x.path, "its path, as the kernel's log names it");
  v.field("version", x.version, "of the control group interface: 1 or 2");
  v.field("limit_bytes", x.limit_bytes, "absent: none");
  v.field("swap_limit_bytes", x.swap_limit_bytes, "memory and swap together in version 1, swap alone in version 2");
  v.field("high_bytes", x.high_bytes, "from here on the kernel slows it down");
  v.field("used_bytes", x.used_bytes, "at death");
  v.field("peak_bytes", x.peak_bytes, "the most it ever used");
  v.field("anonymous_bytes", x.anonymous_bytes, "of used_bytes: heaps, stacks, arrays");
  v.field("file_bytes", x.file_bytes, "of used_bytes: page cache");
  v.field("shared_bytes", x.shared_bytes, "of used_bytes: shared memory and tmpfs");
  v.field("kernel_bytes", x.kernel_bytes, "of used_bytes: the kernel's own");
  v.field("oom_kills_before", x.oom_kills_before, "its counter of kills at the last reading before the death");
  v.field("oom_kills", x.oom_kills, "and at the death");
  v.field("limit_hits_before", x.limit_hits_before, "how often it had met its limit, at that reading");
  v.field("limit_hits", x.limit_hits, "and at the death");
  v.field("killed_as_one", x.killed_as_one, "all of the group is killed at once");
  v.field("process_count", x.process_count, "processes in it at death");
}

template <class V> void describe(V& v, OomChoice& x) {
  v.field("pid", x.pid, "the process that was chosen");
  v.field("command", x.command, "its short name");
  v.field("for_group", x.for_group, "a control group's limit was met, not the machine's; absent: not said");
  v.field("limited_by", x.limited_by, "that group; empty where the log leaves it out");
  v.field("group", x.group, "the group it was in");
  v.field("resident_bytes", x.resident_bytes, "what it held, as the kernel said");
  v.field("seconds_before", x.seconds_before, "how long before the end");
}

template <class V> void describe(V& v, KillWindow& x) {
  v.field("seconds", x.seconds, "from the reading of the counters before to the death");
  v.field("killed", x.killed, "other processes of the tree that were killed in it and are not accounted for");
  v.field("doubtful", x.doubtful, "other processes of the tree that may have been dying as well");
  v.field("gone", x.gone, "other processes of its control group that had ended by the death");
  v.field("strangers", x.strangers, "processes of its control group that were not of the tree");
}

template <class V> void describe(V& v, MemoryBounds& x) {
  v.field("groups", x.groups, "control groups, the process's own first, then outwards");
  v.field("machine_bytes", x.machine_bytes, "memory of the machine");
  v.field("available_bytes", x.available_bytes, "of it available at death");
  v.field("swap_bytes", x.swap_bytes, "swap of the machine");
  v.field("swap_free_bytes", x.swap_free_bytes, "of it free at death");
  v.field("machine_oom_kills_before", x.machine_oom_kills_before, "kills for memory on the whole machine, before");
  v.field("machine_oom_kills", x.machine_oom_kills, "and at the death");
  v.field("log_was_readable", x.log_was_readable, "the kernel's log could be read");
  v.field("log_has_other_pids", x.log_has_other_pids, "it numbers processes as the machine does, not as here");
  v.field("window", x.window, "who else a counted kill can have been meant for");
  v.field("choices", x.choices, "processes that the kernel chose to kill since the run began");
  v.field("stalled_percent", x.stalled_percent, "of the last ten seconds everything waited for memory");
}

template <class V> void describe(V& v, ProcessMemory& x) {
  v.field("pid", x.pid, "process id");
  v.field("command", x.command, "the kernel's short name");
  v.field("first", x.first, "index into timeline.at_s of its first reading");
  v.field("anonymous_bytes", x.anonymous_bytes, "resident: heaps, stacks, arrays");
  v.field("file_bytes", x.file_bytes, "resident: mapped files");
  v.field("shared_bytes", x.shared_bytes, "resident: shared memory");
  v.field("swap_bytes", x.swap_bytes, "swapped out");
}

template <class V> void describe(V& v, StepCounter& x) {
  v.field("name", x.name, "the variable");
  v.field("file", x.file, "whose function it is in");
  v.field("function", x.function, "that function");
  v.field("at_s", x.at_s, "when it was read");
  v.field("value", x.value, "and what it was");
}

template <class V> void describe(V& v, LastLine& x) {
  v.field("file", x.file, "Python file");
  v.field("function", x.function, "function");
  v.field("line", x.line, "line");
  v.field("at_s", x.at_s, "when it was there");
}

template <class V> void describe(V& v, Timeline& x) {
  v.field("every_s", x.every_s, "distance of the readings");
  v.field("at_s", x.at_s, "times of the readings since the start");
  v.field("group", x.group, "the control group whose use is given");
  v.field("group_used_bytes", x.group_used_bytes, "its use at each reading");
  v.field("limit_bytes", x.limit_bytes, "the bound that comes first");
  v.field("processes", x.processes, "each process of the tree");
  v.field("steps", x.steps, "variables that count as the program goes on");
  v.field("last_line", x.last_line, "where the main thread stood when last looked at");
}

template <class V> void describe(V& v, MemoryPart& x) {
  v.field("kind", x.kind, "what it was used for");
  v.field("bytes", x.bytes, "how much");
  v.field("count", x.count, "of how many things, where they can be counted");
}

template <class V> void describe(V& v, MemoryHolder& x) {
  v.field("name", x.name, "the Python name, and how to go on from it");
  v.field("type", x.type, "of what it stands for");
  v.field("file", x.file, "of the function it is a local of");
  v.field("function", x.function, "that function");
  v.field("line", x.line, "the line that function stands at");
  v.field("module", x.module, "the module it is a global of");
  v.field("own_code", x.own_code, "the user's own code, not a library's");
  v.field("count", x.count, "arrays that are reached through it");
  v.field("bytes", x.bytes, "their memory, each block counted once");
  v.field("objects", x.objects, "other Python objects that are reached through it");
  v.field("object_bytes", x.object_bytes, "of those objects themselves");
  v.field("length", x.length, "of the container");
  v.field("capacity", x.capacity, "how many it can hold, where it drops its oldest then");
  v.field("elements", x.elements, "alike in type, dtype and shape");
  v.field("keeps_graph", x.keeps_graph, "a tensor that keeps what it was computed from");
  v.field("graph_nodes", x.graph_nodes, "operations it keeps so, as far as they were counted");
}

template <class V> void describe(V& v, MemoryCopy& x) {
  v.field("name", x.name, "an array");
  v.field("copy_of", x.copy_of, "one with the same contents");
  v.field("bytes", x.bytes, "size of each");
}

template <class V> void describe(V& v, TypeCount& x) {
  v.field("type", x.type, "Python type");
  v.field("count", x.count, "objects");
  v.field("bytes", x.bytes, "of the objects themselves");
}

template <class V> void describe(V& v, AddingLine& x) {
  v.field("name", x.name, "as the line writes it");
  v.field("file", x.file, "source file");
  v.field("line", x.line, "line");
  v.field("text", x.text, "the line itself");
  v.field("repeats", x.repeats, "it runs again and again on the same object");
  v.field("only_fills", x.only_fills, "its loop ends by itself and does nothing but fill the object");
}

template <class V> void describe(V& v, MemoryUse& x) {
  v.field("of_group", x.of_group, "the parts add up to what the control group counted, else to resident memory");
  v.field("judged_bytes", x.judged_bytes, "what they add up to");
  v.field("resident_bytes", x.resident_bytes, "resident memory of the process");
  v.field("before_the_end", x.before_the_end, "looked at while it ran");
  v.field("at_s", x.at_s, "when");
  v.field("took_s", x.took_s, "how long that look took");
  v.field("parts", x.parts, "what it was used for, the largest first");
  v.field("holders", x.holders, "Python names that hold the most");
  v.field("copies", x.copies, "arrays with the same contents");
  v.field("types", x.types, "Python types by number and size");
  v.field("objects_seen", x.objects_seen, "Python objects that were looked at");
  v.field("added", x.added, "source lines that add to what a name holds");
}

}  // namespace sigwhy
