// Python exceptions read while they are alive: the one in flight when the interpreter is about to print it, and the
// chain behind it (`__cause__`, `__context__`). An exception that C code raised may not have been made into an object
// yet: then there is only its class and what it was raised with.
#pragma once
#include <string_view>

#include "evidence/python.h"
#include "python/frames.h"
#include "python/values.h"

namespace sigwhy::python {

struct SeenException {
  ExceptionLink link = ExceptionLink::ended_it;
  Address object;  // 0: not made yet
  std::string_view type;     // with its module
  std::string_view message;  // as str() gives it, the beginning
};

// After exception() come its bases, attributes (values) and traceback frames, the outermost first.
class ExceptionSink : public FrameSink, public ValueSink {
 public:
  virtual void exception(const SeenException& exception) = 0;
  virtual void base(std::string_view name) = 0;
  virtual void attribute(const SeenValue& value) = 0;
  virtual void attribute_item(const SeenValue& item) = 0;  // a member of the attribute named last
  // How many frames its traceback had, where they were not all gone through.
  virtual void traceback_length(std::uint64_t frames) = 0;
  // The locals of the traceback frame given last follow as value() and item().
};

// A frame of a traceback: of which exception of the chain, and which (0: the outermost).
struct TracebackFrame {
  Address at;
  std::size_t exception = 0;
  std::size_t index = 0;
};

// The exception in flight in this thread; else, where `printed_too`, the one the interpreter printed last
// (sys.last_value). False where there is none.
bool walk_exception(const Objects& objects, Address thread_state, bool printed_too, ExceptionSink& sink,
                    FunctionRef<void(const TracebackFrame&)> seen);

}  // namespace sigwhy::python
