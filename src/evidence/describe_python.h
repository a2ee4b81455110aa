// The fields of what an interpreter holds: frames, values, arrays, exceptions (see describe.h).
#pragma once
#include "evidence/snapshot.h"

namespace sigwhy {

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

}  // namespace sigwhy
