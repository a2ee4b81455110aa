// The fields of what died and how (see describe.h).
#pragma once
#include "evidence/snapshot.h"

namespace sigwhy {

template <class V> void describe(V& v, Gap& x) {
  v.field("what", x.what, "what could not be seen");
  v.field("why", x.why, "the reason");
  v.field("remedy", x.remedy, "what would make it visible next time");
}

template <class V> void describe(V& v, Sender& x) {
  v.field("pid", x.pid, "process id of the sender, as the kernel gave it");
  v.field("uid", x.uid, "its user id");
  v.field("relation", x.relation, "what it is to the process that died");
  v.field("command", x.command, "its command, where it still lived when asked");
}

template <class V> void describe(V& v, AskedBefore& x) {
  v.field("signal", x.signal, "which");
  v.field("signal_name", x.signal_name, "SIGTERM, ...");
  v.field("seconds_before", x.seconds_before, "how long before the end");
  v.field("reaction", x.reaction, "what it did about it: handled, ignored, blocked");
  v.field("sender", x.sender, "who sent it");
}

template <class V> void describe(V& v, Wait& x) {
  v.field("pid", x.pid, "process id");
  v.field("tid", x.tid, "thread id");
  v.field("what", x.what, "what it waits for");
  v.field("system_call", x.system_call, "the call it sleeps in");
  v.field("file", x.file, "for file-lock: which file");
  v.field("enders", x.enders, "the processes that could end the wait");
}

template <class V> void describe(V& v, Hang& x) {
  v.field("still_seconds", x.still_seconds, "how long nothing had moved");
  v.field("ended_by_sigwhy", x.ended_by_sigwhy, "it was killed then, as the user had asked");
  v.field("forked_from", x.forked_from, "it is a copy of this process, made by fork");
  v.field("parent_threads", x.parent_threads, "how many threads that process has");
  v.field("waits", x.waits, "of every thread of every process of the program; empty where not all could be seen");
}

template <class V> void describe(V& v, Termination& x) {
  v.field("kind", x.kind, "how it ended");
  v.field("exit_code", x.exit_code, "for exited");
  v.field("signal", x.signal, "for signalled");
  v.field("signal_name", x.signal_name, "SIGSEGV, ...");
  v.field("code", x.code, "si_code");
  v.field("code_name", x.code_name, "SEGV_MAPERR, ...");
  v.field("address", x.address, "si_addr as the kernel gave it; see fault.address for what was really used");
  v.field("sender", x.sender, "who sent the signal, where the kernel names a sender");
  v.field("core_dumped", x.core_dumped, "the wait status has the core flag");
  v.field("handled_first", x.handled_first, "the program's own handler ran before the end");
  v.field("handled_signal", x.handled_signal, "the signal it handled; code and address are that fault's");
  v.field("asked_before", x.asked_before, "a polite signal that it survived before it was killed");
  v.field("hang", x.hang, "for hung: what was seen of it");
  v.field("outlived_sigwhy", x.outlived_sigwhy, "for lost: sigwhy was killed and the program ran on");
  v.field("after_seconds", x.after_seconds, "run time");
  v.field("cpu_seconds", x.cpu_seconds, "of a process that was killed: the processor time of all its threads");
}

template <class V> void describe(V& v, Limit& x) {
  v.field("name", x.name, "which limit");
  v.field("soft", x.soft, "absent: unlimited");
  v.field("hard", x.hard, "absent: unlimited");
  v.field("unit", x.unit, "bytes, seconds, files, ...");
}

template <class V> void describe(V& v, TaskGroup& x) {
  v.field("path", x.path, "as /proc/PID/cgroup names it");
  v.field("limit_file", x.limit_file, "where the limit is set");
  v.field("limit", x.limit, "pids.max; absent: none");
  v.field("task_count", x.task_count, "pids.current: threads of all processes in it, when this one was stopped");
  v.field("refusals_before", x.refusals_before, "pids.events when the run was young");
  v.field("refusals", x.refusals, "pids.events when it was stopped: how often a new thread was refused");
}

template <class V> void describe(V& v, ProcessNode& x) {
  v.field("pid", x.pid, "process id");
  v.field("parent", x.parent, "its parent");
  v.field("command", x.command, "the kernel's short name");
  v.field("ended", x.ended, "absent: still alive");
}

template <class V> void describe(V& v, Process& x) {
  v.field("pid", x.pid, "process id");
  v.field("parent", x.parent, "its parent");
  v.field("uid", x.uid, "user id");
  v.field("command", x.command, "the kernel's short name");
  v.field("argv", x.argv, "arguments, secrets blanked");
  v.field("executable", x.executable, "path of the program file");
  v.field("directory", x.directory, "working directory");
  v.field("started_unix_s", x.started_unix_s, "start time");
  v.field("resident_bytes", x.resident_bytes, "memory in use at death");
  v.field("thread_count", x.thread_count, "how many threads it had");
  v.field("locked_bytes", x.locked_bytes, "memory it had locked");
  v.field("data_bytes", x.data_bytes, "private writable memory it had mapped, used or not");
  v.field("descriptor_count", x.descriptor_count, "how many file descriptors it had open");
  v.field("descriptor_slots", x.descriptor_slots, "the size of the kernel's table of them: no more were ever open");
  v.field("mapping_count", x.mapping_count, "how many mappings it had");
  v.field("switches", x.switches, "environment variables that change how libraries behave");
  v.field("limits", x.limits, "resource limits in force; `mappings` is the machine's vm.max_map_count");
  v.field("task_groups", x.task_groups, "the control groups that limit its threads, its own first");
  v.field("signals_caught", x.signals_caught, "signals with a handler");
  v.field("signals_ignored", x.signals_ignored, "signals ignored");
  v.field("signals_blocked", x.signals_blocked, "signals blocked in the dying thread");
  v.field("tree", x.tree, "the other processes of the supervised tree");
}

template <class V> void describe(V& v, Root& x) {
  v.field("pid", x.pid, "process id");
  v.field("argv", x.argv, "arguments, secrets blanked");
  v.field("termination", x.termination, "how it ended");
}

template <class V> void describe(V& v, Host& x) {
  v.field("kernel", x.kernel, "kernel release");
  v.field("cpu", x.cpu, "processor model");
  v.field("cpu_features", x.cpu_features, "as /proc/cpuinfo names them");
  v.field("memory_bytes", x.memory_bytes, "physical memory");
}

}  // namespace sigwhy
