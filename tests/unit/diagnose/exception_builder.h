// Deaths by a Python exception, made by hand: the chain, its tracebacks, the values of the frames. Messages in the
// tests that use it are what real libraries said.
#pragma once
#include "diagnose/speak.h"
#include "snapshot_builder.h"

namespace sigwhy::diagnose {

inline const std::string site = "/v/lib/python3.11/site-packages/";

class Thrown : public Build {
 public:
  Thrown(std::string type, std::string message, std::vector<std::string> bases = {"Exception"}) {
    s.termination = {.kind = TerminationKind::exited, .exit_code = 1};
    s.host.memory_bytes = 32ull << 30;
    add(ExceptionLink::ended_it, std::move(type), std::move(message), std::move(bases));
  }
  // One behind those there are.
  Thrown& behind(ExceptionLink link, std::string type, std::string message,
                 std::vector<std::string> bases = {"Exception"}) {
    return add(link, std::move(type), std::move(message), std::move(bases));
  }
  // Frames of the last exception, innermost first.
  Thrown& at(std::string file, std::string function, int line, std::string text = "") {
    PythonFrame frame{.file = std::move(file), .function = std::move(function), .line = line};
    if (!text.empty()) frame.text = std::move(text);
    last().traceback.push_back(std::move(frame));
    return *this;
  }
  // Values of the last frame.
  Thrown& value(PyValue v) {
    last().traceback.back().values.push_back(std::move(v));
    return *this;
  }
  Thrown& number(std::string name, std::string text) { return value({.name = name, .type = "int", .text = text}); }
  Thrown& path(std::string name, std::string text) {
    return value({.name = name, .type = "str", .text = "'" + text + "'"});
  }
  Thrown& array(std::string name, std::string dtype, std::vector<std::int64_t> shape,
                std::vector<ElementGroup> elements = {}, ArrayKind kind = ArrayKind::numpy) {
    const auto index = s.arrays.size();
    s.arrays.push_back(
        {.name = name, .kind = kind, .type = "ndarray", .dtype = dtype, .shape = shape, .elements = elements});
    return value({.name = name, .type = "numpy.ndarray", .array = index});
  }
  Thrown& rows(std::string name, std::vector<ElementGroup> elements, std::string type = "list") {
    return value({.name = name, .type = type, .elements = std::move(elements)});
  }
  Thrown& attribute(std::string name, std::string text) {
    last().attributes.push_back({.name = std::move(name), .text = std::move(text)});
    return *this;
  }
  Thrown& switched(const char* name, const char* value) {
    s.process.switches[name] = value;
    return *this;
  }
  Thrown& child(std::int64_t pid, const char* command, int signal, const char* signal_name) {
    s.process.tree.push_back({.pid = pid, .parent = 100, .command = command});
    s.process.tree.back().ended =
        Termination{.kind = TerminationKind::signalled, .signal = signal, .signal_name = signal_name};
    return *this;
  }
  std::string claim() const {
    const auto d = diagnosis();
    return d.findings.empty() ? "" : d.findings[0].claim;
  }
  bool speaks() const { return worth_saying({.snapshot = s, .diagnosis = diagnosis()}); }

 private:
  PyException& last() { return s.python_exceptions.back(); }
  Thrown& add(ExceptionLink link, std::string type, std::string message, std::vector<std::string> bases) {
    s.python_exceptions.push_back({.link = link, .type = type, .bases = bases, .message = message});
    return *this;
  }
};

inline ElementGroup lists(std::uint64_t length, std::uint64_t count, std::uint64_t first) {
  return {.type = "list", .length = length, .count = count, .first = first};
}

}  // namespace sigwhy::diagnose
