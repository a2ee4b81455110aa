// The JSON of libraries, packages, input files and of what `check` finds (see describe.h).
#pragma once
#include "evidence/concern.h"
#include "evidence/input.h"
#include "evidence/inventory.h"

namespace sigwhy {

template <class V> void describe(V& v, ImportLine& x) {
  v.field("file", x.file, "source file");
  v.field("line", x.line, "line number");
  v.field("text", x.text, "the line");
}

template <class V> void describe(V& v, Library& x) {
  v.field("family", x.family, "protobuf, openmp, ...");
  v.field("name", x.name, "which of the family");
  v.field("part", x.part, "of the family, where it comes in several; two of one part are two copies");
  v.field("version", x.version, "as far as it tells");
  v.field("version_from", x.version_from, "how the version is known");
  v.field("module", x.module, "index into modules: the file that holds it");
  v.field("came_in", x.came_in, "how it came into the process");
  v.field("brought_by", x.brought_by, "index into modules: who needs it");
  v.field("imported", x.imported, "the line of Python that brought it in");
}

template <class V> void describe(V& v, Crossing& x) {
  v.field("symbol", x.symbol, "what is called");
  v.field("user", x.user, "index into modules: who calls it");
  v.field("bound_to", x.bound_to, "index into modules: whose definition it gets");
  v.field("expected", x.expected, "index into modules: whose it was linked with; of free(): whose everybody else gets");
}

template <class V> void describe(V& v, BrokenRequirement& x) {
  v.field("wants", x.wants, "as the package states it");
  v.field("found", x.found, "the installed version; absent: not installed");
}

template <class V> void describe(V& v, Package& x) {
  v.field("name", x.name, "as its metadata spells it");
  v.field("version", x.version, "installed version");
  v.field("origin", x.origin, "wheel, conda, system, source or unknown");
  v.field("folder", x.folder, "where it lies");
  v.field("broken", x.broken, "its requirements that are not met");
}

template <class V> void describe(V& v, Inventory& x) {
  v.field("libraries", x.libraries, "libraries of the known families");
  v.field("crossings", x.crossings, "symbols bound to another copy than the one linked with");
  v.field("packages", x.packages, "Python packages that this death touches");
}

template <class V> void describe(V& v, Flaw& x) {
  v.field("offset", x.offset, "of the first byte of the field that cannot be");
  v.field("inside", x.inside, "what the offset counts in, where it is not the file itself");
  v.field("where", x.where, "the place in the format's own terms");
  v.field("what", x.what, "what is wrong there");
}

template <class V> void describe(V& v, Checked& x) {
  v.field("format", x.format, "the format that claims it; empty: none");
  v.field("soundness", x.soundness, "sound, broken, ...");
  v.field("flaw", x.flaw, "the first contradiction");
  v.field("why", x.why, "for not-checked: the reason");
  v.field("holds", x.holds, "what it holds");
  v.field("remarks", x.remarks, "what is worth knowing of a sound file");
}

template <class V> void describe(V& v, FileHolder& x) {
  v.field("pid", x.pid, "process id");
  v.field("command", x.command, "its command");
  v.field("writes", x.writes, "it has the file open for writing");
  v.field("locks", x.locks, "it holds a lock on it");
}

template <class V> void describe(V& v, Input& x) {
  v.field("path", x.path, "the file");
  v.field("seen", x.seen, "how it is known that the program read it");
  v.field("bytes", x.bytes, "its size");
  v.field("changed_during_run", x.changed_during_run, "it was written after the program had started");
  v.field("file_system", x.file_system, "the file system it was written to, where nearly nothing is left of that");
  v.field("holders", x.holders, "other processes that have it open");
  v.field("checked", x.checked, "whether it is sound");
}

template <class V> void describe(V& v, Verification& x) {
  v.field("schema", x.schema, "version of this layout");
  v.field("files", x.files, "in the order they were asked about");
}

template <class V> void describe(V& v, Concern& x) {
  v.field("check", x.check, "which check says so");
  v.field("cause", x.cause, "what the death would be called");
  v.field("severity", x.severity, "ends, may-end or worth-knowing");
  v.field("claim", x.claim, "one sentence");
  v.field("because", x.because, "the facts");
  v.field("fix", x.fix, "what to do");
}

template <class V> void describe(V& v, CheckUp& x) {
  v.field("schema", x.schema, "version of this layout");
  v.field("interpreter", x.interpreter, "path of the Python that would run");
  v.field("python_version", x.python_version, "its version");
  v.field("script", x.script, "the script that was looked at");
  v.field("imports", x.imports, "top-level modules that it imports");
  v.field("checked", x.checked, "the checks that ran");
  v.field("concerns", x.concerns, "what would end the run first, first");
  v.field("packages", x.packages, "the packages that it imports");
  v.field("gaps", x.gaps, "what could not be seen");
}

}  // namespace sigwhy
