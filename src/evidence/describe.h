// One description of every noun's fields, from which the JSON writer, the JSON reader and the JSON Schema are
// made. A field added here is written, read, validated and documented; one that is forgotten is none of it.
// `v.field(name, member, meaning)`: the meaning is what docs/schema.md says about it.
#pragma once
#include "evidence/case.h"
#include "evidence/describe_memory.h"
#include "evidence/recipe.h"

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
  v.field("outlived_sigwhy", x.outlived_sigwhy, "for lost: sigwhy was killed and the program ran on");
  v.field("after_seconds", x.after_seconds, "run time");
}

template <class V> void describe(V& v, Limit& x) {
  v.field("name", x.name, "which limit");
  v.field("soft", x.soft, "absent: unlimited");
  v.field("hard", x.hard, "absent: unlimited");
  v.field("unit", x.unit, "bytes, seconds, files, ...");
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
  v.field("switches", x.switches, "environment variables that change how libraries behave");
  v.field("limits", x.limits, "resource limits in force");
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

template <class V> void describe(V& v, Module& x) {
  v.field("path", x.path, "the file");
  v.field("start", x.start, "lowest mapped address");
  v.field("end", x.end, "one past the highest");
  v.field("build_id", x.build_id, "hex");
  v.field("origin", x.origin, "where it comes from, read off its path");
  v.field("package", x.package, "the Python package it belongs to");
  v.field("file_changed", x.file_changed, "the file on disk is no longer the mapped one");
}

template <class V> void describe(V& v, FileSystem& x) {
  v.field("type", x.type, "tmpfs, ext4, ...");
  v.field("total_bytes", x.total_bytes, "size");
  v.field("free_bytes", x.free_bytes, "free for this user");
}

template <class V> void describe(V& v, Region& x) {
  v.field("start", x.start, "first address");
  v.field("end", x.end, "one past the last");
  v.field("permissions", x.permissions, "as in /proc/PID/maps");
  v.field("offset", x.offset, "offset in the file");
  v.field("path", x.path, "the file, or the kernel's name for it");
  v.field("kind", x.kind, "what it is used for");
  v.field("file_bytes", x.file_bytes, "the file's size when the process died");
  v.field("file_system", x.file_system, "the file system under it");
}

template <class V> void describe(V& v, MemoryBlock& x) {
  v.field("address", x.address, "where it lay");
  v.field("bytes", x.bytes, "how much");
  v.field("offset", x.offset, "where it lies in the side file");
}

template <class V> void describe(V& v, HeapBlock& x) {
  v.field("start", x.start, "what malloc returned");
  v.field("bytes", x.bytes, "usable size");
  v.field("state", x.state, "in use, freed, ...");
  v.field("detail", x.detail, "how that is known");
}

template <class V> void describe(V& v, Distance& x) {
  v.field("region", x.region, "index into regions");
  v.field("bytes", x.bytes, "how far");
}

template <class V> void describe(V& v, Pointer& x) {
  v.field("role", x.role, "why it matters: fault, a register's name, freed, ...");
  v.field("value", x.value, "the pointer");
  v.field("region", x.region, "index into regions; absent: mapped nowhere");
  v.field("behind", x.behind, "how far behind the end of the nearest lower region");
  v.field("before", x.before, "how far before the start of the nearest higher region");
  v.field("block", x.block, "the heap block it lies in");
  v.field("looks_like", x.looks_like, "what the bytes look like when they are no pointer");
}

template <class V> void describe(V& v, Source& x) {
  v.field("file", x.file, "source file");
  v.field("line", x.line, "line");
  v.field("column", x.column, "column");
  v.field("text", x.text, "the line itself, where the file could be read");
}

template <class V> void describe(V& v, InlinedCall& x) {
  v.field("symbol", x.symbol, "the inlined function");
  v.field("source", x.source, "where in it");
}

template <class V> void describe(V& v, PythonRun& x) {
  v.field("first", x.first, "index of the innermost, in the thread's python");
  v.field("count", x.count, "how many");
}

template <class V> void describe(V& v, Frame& x) {
  v.field("pc", x.pc, "the instruction; for callers the call, not the return address");
  v.field("trust", x.trust, "how the frame was found");
  v.field("module", x.module, "index into modules");
  v.field("symbol", x.symbol, "demangled");
  v.field("symbol_offset", x.symbol_offset, "bytes into the symbol");
  v.field("source", x.source, "line, where debug information exists");
  v.field("inlined", x.inlined, "inlined calls at this pc, innermost first");
  v.field("python", x.python, "the Python frames it runs");
  v.field("signal_frame", x.signal_frame, "the kernel's frame of a signal handler");
}

template <class V> void describe(V& v, StackBounds& x) {
  v.field("low", x.low, "lowest address of the mapping");
  v.field("high", x.high, "one past its highest");
  v.field("pointer", x.pointer, "stack pointer");
}

template <class V> void describe(V& v, Repetition& x) {
  v.field("first", x.first, "index of the first repeated frame");
  v.field("period", x.period, "frames in one repetition");
  v.field("times", x.times, "repetitions counted");
  v.field("estimated_times", x.estimated_times, "repetitions that fit into the whole stack");
}

template <class V> void describe(V& v, ElementGroup& x) {
  v.field("type", x.type, "type of each");
  v.field("length", x.length, "length of each");
  v.field("shape", x.shape, "shape of each, where they are arrays");
  v.field("dtype", x.dtype, "element type of each, where they are arrays");
  v.field("count", x.count, "how many are alike");
  v.field("first", x.first, "index of the first");
}

template <class V, class X> void describe_value(V& v, X& x, const char* name) {
  v.field("name", x.name, name);
  v.field("type", x.type, "name of its class");
  v.field("text", x.text, "as Python writes it, where the values policy allows");
  v.field("length", x.length, "of a container, a string or bytes");
  v.field("array", x.array, "index into arrays");
  v.field("elements", x.elements, "what a container holds, alike ones together");
}

template <class V> void describe(V& v, PyItem& x) { describe_value(v, x, "how to reach it: [3], ['image'], .weight"); }

template <class V> void describe(V& v, PyValue& x) {
  describe_value(v, x, "the variable");
  v.field("argument", x.argument, "an argument of the call rather than a local");
  v.field("items", x.items, "a few of its members");
}

template <class V> void describe(V& v, PythonFrame& x) {
  v.field("file", x.file, "as the code object names it");
  v.field("function", x.function, "qualified where the version keeps that");
  v.field("line", x.line, "absent: the line table has none");
  v.field("column", x.column, "first column, counted from 0, where the version keeps it");
  v.field("text", x.text, "the line itself, where the file is unchanged since the program started");
  v.field("entry", x.entry, "called from C: frames further out belong to another native frame");
  v.field("values", x.values, "arguments first, then locals");
}

template <class V> void describe(V& v, PyInterpreter& x) {
  v.field("version", x.version, "3.11, ...");
  v.field("threads", x.threads, "thread states it had");
  v.field("recursion_limit", x.recursion_limit, "how deep Python functions may call each other");
  v.field("gil_holder", x.gil_holder, "thread id of the holder of the interpreter lock");
}

template <class V> void describe(V& v, ArrayBase& x) {
  v.field("type", x.type, "name of its class");
  v.field("object", x.object, "where the object lay");
  v.field("data", x.data, "the memory it keeps");
  v.field("bytes", x.bytes, "how much");
}

template <class V> void describe(V& v, Holder& x) {
  v.field("name", x.name, "how it is reached there");
  v.field("thread", x.thread, "index into threads");
  v.field("frame", x.frame, "index into that thread's python, or into the exception's traceback");
  v.field("exception", x.exception, "index into python_exceptions");
  v.field("module", x.module, "a global of this module");
}

template <class V> void describe(V& v, Array& x) {
  v.field("name", x.name, "how the program reaches it");
  v.field("holders", x.holders, "all names it goes by, the innermost first");
  v.field("kind", x.kind, "whose array");
  v.field("type", x.type, "name of its class");
  v.field("dtype", x.dtype, "element type");
  v.field("item_bytes", x.item_bytes, "bytes of one element");
  v.field("shape", x.shape, "dimensions");
  v.field("strides", x.strides, "bytes from one element to the next, per dimension");
  v.field("object", x.object, "where the Python object lay");
  v.field("data", x.data, "address of the first element");
  v.field("bytes", x.bytes, "all elements together");
  v.field("memory_start", x.memory_start, "start of the memory it may touch");
  v.field("memory_bytes", x.memory_bytes, "size of the memory it may touch");
  v.field("owns_memory", x.owns_memory, "it frees that memory itself");
  v.field("writable", x.writable, "may be written to");
  v.field("base", x.base, "the objects that keep its memory alive");
  v.field("block", x.block, "the heap block its data lies in");
  v.field("points_to", x.points_to, "of a pointer object: where it leads");
  v.field("label", x.label, "what its framework calls it");
  v.field("device", x.device, "cpu, cuda:0, ...");
  v.field("path", x.path, "the file behind it");
  v.field("elements", x.elements, "what an object array holds, alike ones together");
}

template <class V> void describe(V& v, PyException& x) {
  v.field("link", x.link, "how it came to stand in the chain");
  v.field("type", x.type, "its class");
  v.field("bases", x.bases, "base classes, nearest first");
  v.field("message", x.message, "its text");
  v.field("attributes", x.attributes, "what it carries: args, errno, filename, ...");
  v.field("traceback", x.traceback, "its frames, innermost first");
  v.field("traceback_length", x.traceback_length, "how many there were, where not all are kept");
}

template <class V> void describe(V& v, Thread& x) {
  v.field("tid", x.tid, "thread id");
  v.field("name", x.name, "thread name");
  v.field("python_name", x.python_name, "the name the program gave it");
  v.field("gil", x.gil, "whether it holds the interpreter lock");
  v.field("died", x.died, "this thread took the fatal signal");
  v.field("on_cpu", x.on_cpu, "it was at work, not asleep; of a living process");
  v.field("system_call", x.system_call, "the call it slept in; of a living process");
  v.field("registers", x.registers, "general registers");
  v.field("stack", x.stack, "its stack mapping");
  v.field("frames", x.frames, "innermost first");
  v.field("python", x.python, "Python frames, innermost first");
  v.field("repetition", x.repetition, "frames that repeat, folded");
}

template <class V> void describe(V& v, MemoryOperand& x) {
  v.field("text", x.text, "as written");
  v.field("access", x.access, "read, write, ...");
  v.field("width_bytes", x.width_bytes, "bytes touched");
  v.field("base", x.base, "base register");
  v.field("base_value", x.base_value, "its value");
  v.field("index", x.index, "index register");
  v.field("index_value", x.index_value, "its value");
  v.field("scale", x.scale, "factor of the index");
  v.field("displacement", x.displacement, "constant added");
  v.field("segment", x.segment, "fs or gs");
  v.field("address", x.address, "the sum");
}

template <class V> void describe(V& v, Division& x) {
  v.field("is_signed", x.is_signed, "idiv rather than div");
  v.field("width_bytes", x.width_bytes, "operand width");
  v.field("divisor", x.divisor, "absent: could not be read");
  v.field("dividend_low", x.dividend_low, "low half");
  v.field("dividend_high", x.dividend_high, "high half");
}

template <class V> void describe(V& v, Instruction& x) {
  v.field("text", x.text, "disassembly");
  v.field("mnemonic", x.mnemonic, "first word of it");
  v.field("bytes", x.bytes, "hex");
  v.field("extension", x.extension, "instruction set it belongs to");
  v.field("missing_features", x.missing_features, "CPU features it needs and this CPU lacks");
  v.field("deliberate_trap", x.deliberate_trap, "an instruction meant to stop the program");
  v.field("is_call", x.is_call, "a call or jump");
  v.field("operands", x.operands, "memory operands");
  v.field("division", x.division, "for integer divisions");
}

template <class V> void describe(V& v, Fault& x) {
  v.field("thread", x.thread, "index into threads");
  v.field("pc", x.pc, "instruction pointer");
  v.field("instruction", x.instruction, "absent: no code could be read there");
  v.field("access", x.access, "read, write or execute");
  v.field("width_bytes", x.width_bytes, "bytes touched");
  v.field("address", x.address, "the address really used");
  v.field("address_computed", x.address_computed, "from operands, because the kernel did not tell it");
  v.field("operand", x.operand, "which operand was used");
}

template <class V> void describe(V& v, Text& x) {
  v.field("kind", x.kind, "whose words");
  v.field("text", x.text, "the words");
  v.field("address", x.address, "where they lay");
}

template <class V> void describe(V& v, CppException& x) {
  v.field("type", x.type, "demangled");
  v.field("bases", x.bases, "its base classes");
  v.field("what", x.what, "its text, where readable");
  v.field("object", x.object, "where it lay");
}

template <class V> void describe(V& v, Snapshot& x) {
  v.field("termination", x.termination, "how the process ended");
  v.field("process", x.process, "the process that died");
  v.field("root", x.root, "the process the user started, where that is another one");
  v.field("host", x.host, "the machine");
  v.field("fault", x.fault, "the instruction at which it died");
  v.field("threads", x.threads, "all threads that could be read");
  v.field("interpreters", x.interpreters, "CPython interpreters found");
  v.field("arrays", x.arrays, "arrays and tensors that the program's names reach");
  v.field("python_exceptions", x.python_exceptions, "the exception that ended it, then those behind it");
  v.field("modules", x.modules, "loaded files with code");
  v.field("regions", x.regions, "the address space");
  v.field("pointers", x.pointers, "pointers that matter, described");
  v.field("memory", x.memory, "raw memory kept in the side file");
  v.field("texts", x.texts, "messages found in memory");
  v.field("exceptions", x.exceptions, "C++ exceptions found alive");
  v.field("memory_bounds", x.memory_bounds, "what bounded its memory, and whom the kernel chose");
  v.field("timeline", x.timeline, "memory over time");
  v.field("memory_use", x.memory_use, "what its memory was used for");
  v.field("gaps", x.gaps, "what could not be seen");
}

template <class V> void describe(V& v, Recipe& x) {
  v.field("argv", x.argv, "arguments, whole");
  v.field("environment", x.environment, "environment, whole");
  v.field("directory", x.directory, "working directory");
}

template <class V> void describe(V& v, EvidenceRef& x) {
  v.field("path", x.path, "JSON pointer into the snapshot");
}

template <class V> void describe(V& v, Fact& x) {
  v.field("id", x.id, "stable name");
  v.field("sentence", x.sentence, "what a reader is told");
  v.field("evidence", x.evidence, "where it stands in the snapshot");
}

template <class V> void describe(V& v, Finding& x) {
  v.field("cause", x.cause, "cause id");
  v.field("rule", x.rule, "the rule that says so");
  v.field("claim", x.claim, "one sentence");
  v.field("strength", x.strength, "how firmly");
  v.field("explains", x.explains, "this is the deeper cause of that finding");
  v.field("for", x.evidence_for, "facts that support it");
  v.field("against", x.evidence_against, "facts that speak against it");
  v.field("rival", x.rival, "what could not be excluded");
  v.field("fix", x.fix, "what to do, in words");
  v.field("whose", x.whose, "whose code or resource");
  v.field("retryable", x.retryable, "may the same run succeed when started again");
  v.field("prediction", x.prediction, "what a changed re-run would show");
}

template <class V> void describe(V& v, Diagnosis& x) {
  v.field("verdict", x.verdict, "cause id");
  v.field("findings", x.findings, "the verdict's first");
  v.field("certain", x.certain, "what is certain in any case");
  v.field("unexplained", x.unexplained, "seen and not explained");
}

template <class V> void describe(V& v, Case& x) {
  v.field("schema", x.schema, "version of this layout");
  v.field("id", x.id, "eight hex digits");
  v.field("sigwhy_version", x.sigwhy_version, "the program that wrote it");
  v.field("made_unix_ms", x.made_unix_ms, "when");
  v.field("snapshot", x.snapshot, "what was seen");
  v.field("diagnosis", x.diagnosis, "what follows from it");
}

}  // namespace sigwhy
