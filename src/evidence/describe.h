// One description of every noun's fields, from which the JSON writer, the JSON reader and the JSON Schema are
// made. A field added here is written, read, validated and documented; one that is forgotten is none of it.
// `v.field(name, member, meaning)`: the meaning is what docs/schema.md says about it.
#pragma once
#include "evidence/case.h"
#include "evidence/describe_environment.h"
#include "evidence/describe_guard.h"
#include "evidence/describe_memory.h"
#include "evidence/describe_process.h"
#include "evidence/describe_python.h"
#include "evidence/recipe.h"

namespace sigwhy {

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

template <class V> void describe(V& v, CountedIndex& x) {
  v.field("array", x.array, "index into arrays");
  v.field("element", x.element, "which of its elements, in memory order");
  v.field("number", x.number, "what stands there");
  v.field("bytes_each", x.bytes_each, "what it counts in");
  v.field("from", x.from, "where it counts from");
  v.field("base", x.base, "the register that still holds that");
  v.field("rows_of", x.rows_of, "index into arrays: this one begins there, and what is counted in is one of its strides");
}

template <class V> void describe(V& v, SummedBase& x) {
  v.field("name", x.name, "the register");
  v.field("value", x.value, "what it holds");
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
  v.field("index", x.index, "a number in an array that leads exactly there");
  v.field("summed", x.summed, "what the address was counted from, by the instruction before: the sum has overwritten the index");
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
  v.field("guarded_heap", x.guarded_heap, "what the guarded heap saw; absent: it was not asked for or not loaded");
  v.field("inventory", x.inventory, "its libraries by family, and the packages they belong to");
  v.field("inputs", x.inputs, "files that it read last, and whether they are sound");
  v.field("gaps", x.gaps, "what could not be seen");
}

template <class V> void describe(V& v, Recipe& x) {
  v.field("argv", x.argv, "arguments, whole");
  v.field("environment", x.environment, "environment, whole");
  v.field("directory", x.directory, "working directory");
  v.field("input", x.input, "the file that its stdin was");
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

template <class V> void describe(V& v, KnownBug& x) {
  v.field("id", x.id, "the advisory or issue");
  v.field("package", x.package, "whose bug");
  v.field("version", x.version, "the version that ran");
  v.field("fixed_in", x.fixed_in, "versions that have the fix; empty: none known");
  v.field("summary", x.summary, "what it is");
  v.field("matched", x.matched, "the operation or symbol that was seen");
}

template <class V> void describe(V& v, Diagnosis& x) {
  v.field("verdict", x.verdict, "cause id");
  v.field("findings", x.findings, "the verdict's first");
  v.field("certain", x.certain, "what is certain in any case");
  v.field("unexplained", x.unexplained, "seen and not explained");
  v.field("known", x.known, "known bugs of the packages that ran; the verdict does not depend on them");
}

template <class V> void describe(V& v, Case& x) {
  v.field("schema", x.schema, "version of this layout");
  v.field("id", x.id, "eight hex digits");
  v.field("sigwhy_version", x.sigwhy_version, "the program that wrote it");
  v.field("made_unix_ms", x.made_unix_ms, "when");
  v.field("snapshot", x.snapshot, "what was seen");
  v.field("diagnosis", x.diagnosis, "what follows from it");
  v.field("outcomes", x.outcomes, "what re-runs with one thing changed showed");
  v.field("fix_tests", x.fix_tests, "fixes that were tried");
  v.field("proof", x.proof, "what was seen of the re-run that caught the mechanism; evidence below /proof lies here");
}

}  // namespace sigwhy
