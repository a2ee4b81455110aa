#include "python/everything.h"

#include <algorithm>

#include "evidence/python_source.h"
#include "python/locals.h"

namespace sigwhy::python {

namespace {

constexpr std::size_t most_frames_with_values = 48;
constexpr std::size_t most_frames_with_holders = 24;
constexpr std::size_t most_threads_with_values = 8;

struct DyingFrame {
  Address at;
  bool library = false;  // variables of its module are many and of no interest
};

// A library's own thread (an Eigen or OpenMP pool's) runs no Python: then one of the others waits for it, and which
// one that is, native stacks will tell later.
class DyingRunsPython final : public FrameSink {
 public:
  explicit DyingRunsPython(const Wanted& wanted) : wanted_(wanted) {}
  void thread(const WalkedThread& t) override { in_dying_ = wanted_.is(t); }
  void frame(const WalkedFrame&) override { yes |= in_dying_; }
  bool yes = false;

 private:
  const Wanted& wanted_;
  bool in_dying_ = false;
};

// Passes the threads and frames on, with the values of each frame, and remembers the dying thread's frames.
class FramesWithValues final : public FrameSink {
 public:
  FramesWithValues(const Objects& objects, const Wanted& wanted, bool any_thread, Listener& listener)
      : objects_(objects), wanted_(wanted), any_thread_(any_thread), listener_(listener) {}

  void thread(const WalkedThread& t) override {
    const bool is_dying = wanted_.is(t);
    in_focus_ = is_dying || (any_thread_ && ++threads_ <= most_threads_with_values);
    if (is_dying) dying_state = t.at;
    if (!first_state.value) first_state = t.at;
    frames_ = 0;
    listener_.thread(t);
    // The interpreter lists its threads newest first: in the end it is the main thread whose holders are looked for.
    if (in_focus_) count = 0, listener_.focus();
  }

  void frame(const WalkedFrame& f) override {
    listener_.frame(f);
    if (in_focus_ && count < frames.size()) frames[count++] = {f.at, is_library_file(f.file)};
    if (!objects_.layout().knows_objects() || frames_++ >= most_frames_with_values) return;
    locals_of(objects_, f.at, [&](const Local& local) {
      describe_value(objects_, local.name, local.object, local.argument, !in_focus_, listener_);
      return true;
    });
  }

  Address dying_state, first_state;
  std::array<DyingFrame, most_frames_with_holders> frames;
  std::size_t count = 0;

 private:
  const Objects& objects_;
  const Wanted& wanted_;
  bool any_thread_;
  Listener& listener_;
  bool in_focus_ = false;
  std::size_t frames_ = 0, threads_ = 0;
};

void walk_holders(const Objects& o, std::span<const DyingFrame> frames, const Wanted& wanted, Listener& listener) {
  Reach reach(o, listener, wanted.limits);
  // Names themselves first, so that an array gets its shortest name; then what they reach.
  for (const int steps : {0, wanted.limits.steps}) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      listener.holder(i, {});
      locals_of(o, frames[i].at, [&](const Local& local) {
        reach.from(local.name, local.object, steps);
        return !reach.exhausted();
      });
    }
    Address last;
    for (const DyingFrame& frame : frames) {
      if (frame.library) continue;
      const Address globals = globals_of(o, frame.at);
      const auto* type = globals == last ? nullptr : o.type_of(globals);
      last = globals;
      if (!type || type->kind != Kind::dict) continue;
      TextBuffer<96> module;
      if (!read_text(o.memory(), o.layout(), o.entry(globals, "__name__"), module)) module.size = 0;
      listener.holder(std::nullopt, module.view());
      variables_in(o, globals, 256, [&](const Local& global) {
        reach.from(global.name, global.object, steps);
        return !reach.exhausted();
      });
    }
  }
  if (reach.exhausted()) listener.cut_short();
}

}  // namespace

void walk_everything(const Memory& memory, const Interpreter& interpreter, const Wanted& wanted, Listener& listener) {
  const Objects objects(memory, interpreter.layout);
  DyingRunsPython dying(wanted);
  walk(memory, interpreter, dying);
  FramesWithValues frames(objects, wanted, !dying.yes, listener);
  walk(memory, interpreter, frames);
  if (!interpreter.layout.knows_objects()) return;
  const Address state = frames.dying_state.value ? frames.dying_state : frames.first_state;
  if (state.value) walk_exception(objects, state, wanted.at_exception, listener);
  walk_holders(objects, std::span(frames.frames).first(frames.count), wanted, listener);
}

}  // namespace sigwhy::python
