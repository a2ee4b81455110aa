// The one walk over the Python side of a process: threads, frames, values, the exception that ends it, and who holds
// which array. The supervisor walks it while the process is stopped, only to have every byte it touches copied; the
// developing process walks it again over the copies, and listens. What is not touched here cannot be told later.
#pragma once
#include "python/exceptions.h"
#include "python/frames.h"
#include "python/reach.h"
#include "python/values.h"

namespace sigwhy::python {

// By a frame of the thread last in focus (0: innermost), by one of an exception's traceback (0: outermost), or by a module.
struct HeldBy {
  std::optional<std::size_t> frame;
  std::optional<std::size_t> exception;
  std::string_view module;
};

// Hears everything; each part may be ignored.
class Listener : public ExceptionSink, public ReachSink {
 public:
  void thread(const WalkedThread&) override {}
  virtual void thread_name(std::uint64_t thread_id, std::string_view name) { (void)thread_id, (void)name; }
  void frame(const WalkedFrame&) override {}
  void value(const SeenValue&) override {}
  void item(const SeenValue&) override {}
  void exception(const SeenException&) override {}
  void base(std::string_view) override {}
  void attribute(const SeenValue&) override {}
  void attribute_item(const SeenValue&) override {}
  void traceback_length(std::uint64_t) override {}
  void reached(std::string_view, std::string_view, const ArrayFacts&) override {}
  // The thread heard last is one whose values matter: the dying one or, where that runs no Python, any.
  virtual void focus() {}
  // What is reached from now on is held here.
  virtual void holder(const HeldBy&) {}
  virtual void recursion_limit(std::int32_t) {}
  // A limit ended the walk over holders.
  virtual void cut_short() {}
};

struct Wanted {
  // The thread whose values are wanted: by its kernel id or, where the version keeps none, by its fs base.
  std::uint64_t native_thread_id = 0;
  std::uint64_t thread_id = 0;
  bool is(const WalkedThread& t) const {
    return t.native_thread_id ? t.native_thread_id == native_thread_id : t.thread_id == thread_id;
  }
  bool at_exception = false;  // stopped where the interpreter prints an exception, or is about to end after one
  ReachLimits limits;
  TensorLayouts* tensors = nullptr;
};

void walk_everything(const Memory& memory, const Interpreter& interpreter, const Wanted& wanted, Listener& listener);

}  // namespace sigwhy::python
