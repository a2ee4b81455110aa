#include "python/everything.h"

#include <algorithm>

#include "evidence/own_code.h"
#include "python/locals.h"
#include "python/thread_names.h"

namespace sigwhy::python {

namespace {

constexpr std::size_t most_frames_with_values = 48;
constexpr std::size_t most_frames_with_holders = 24;
constexpr std::size_t most_threads_with_values = 8;
constexpr std::uint64_t most_variables = 256;

struct DyingFrame {
  Address at;
  bool own = false;  // installed packages' own variables are of no interest; they are many
};

// A library's own thread (an Eigen or OpenMP pool's) runs no Python: then one of the others waits for it, and which
// one that is, native stacks will tell later.
class DyingRunsPython final : public FrameSink {
 public:
  explicit DyingRunsPython(const Wanted& wanted) : wanted_(wanted) {}
  void thread(const WalkedThread& t) override {
    in_dying_ = wanted_.is(t);
    ++threads;
  }
  void frame(const WalkedFrame&) override { yes |= in_dying_; }
  bool yes = false;
  std::size_t threads = 0;

 private:
  const Wanted& wanted_;
  bool in_dying_ = false;
};

// Passes the threads and frames on, with the values of each frame, and remembers the dying thread's frames.
class FramesWithValues final : public FrameSink {
 public:
  // Besides the dying thread's, those of the last `others` threads.
  FramesWithValues(const Objects& objects, const Wanted& wanted, std::size_t others, std::size_t threads,
                   Listener& listener)
      : objects_(objects), wanted_(wanted), first_other_(threads - std::min(threads, others)), listener_(listener) {}

  void thread(const WalkedThread& t) override {
    const bool is_dying = wanted_.is(t);
    const bool is_other = threads_++ >= first_other_;
    const bool again = is_dying && dying_state.value;  // in another interpreter: its frames follow those heard before
    in_focus_ = is_dying || is_other;
    if (is_dying) dying_state = t.at;
    if (!first_state.value) first_state = t.at;
    frames_ = 0;
    listener_.thread(t);
    // The interpreter lists its threads newest first: in the end it is the main thread whose holders are looked for.
    if (in_focus_ && !again) count = 0, listener_.focus();
  }

  void frame(const WalkedFrame& f) override {
    listener_.frame(f);
    if (in_focus_ && count < frames.size()) frames[count++] = {f.at, is_own_file(f.file)};
    if (!objects_.layout().knows_objects() || frames_++ >= most_frames_with_values) return;
    locals_of(objects_, f.at, [&](const Local& local) {
      describe_value(objects_, local.name, local.object, local.argument, !in_focus_, listener_);
      return true;
    });
  }

  void run_ends(std::optional<Address> on_stack) override { listener_.run_ends(on_stack); }
  void left_out(const LeftOut& what) override { listener_.left_out(what); }

  Address dying_state, first_state;
  std::array<DyingFrame, most_frames_with_holders> frames;
  std::size_t count = 0;

 private:
  const Objects& objects_;
  const Wanted& wanted_;
  std::size_t first_other_;
  Listener& listener_;
  bool in_focus_ = false;
  std::size_t frames_ = 0, threads_ = 0;
};

struct Frames {
  std::span<const DyingFrame> dying;
  std::span<const TracebackFrame> traceback;
};

void reach_locals(const Objects& o, const Frames& frames, int steps, Reach& reach, Listener& listener) {
  const auto locals = [&](Address frame) {
    locals_of(o, frame, [&](const Local& local) {
      reach.from(local.name, local.object, steps);
      return !reach.exhausted();
    });
  };
  for (std::size_t i = 0; i < frames.dying.size(); ++i) {
    listener.holder({.frame = i});
    locals(frames.dying[i].at);
  }
  for (const auto& f : frames.traceback) {
    listener.holder({.frame = f.index, .exception = f.exception});
    locals(f.at);
  }
}

void reach_globals(const Objects& o, std::span<const DyingFrame> frames, int steps, Reach& reach, Listener& listener) {
  Address last;
  for (const DyingFrame& frame : frames) {
    if (!frame.own) continue;
    const Address globals = globals_of(o, frame.at);
    const auto* type = globals == last ? nullptr : o.type_of(globals);
    last = globals;
    if (!type || type->kind != Kind::dict) continue;
    TextBuffer<96> module;
    if (!read_text(o.memory(), o.layout(), o.entry(globals, "__name__"), module)) module.size = 0;
    listener.holder({.module = module.view()});
    variables_in(o, globals, most_variables, [&](const Local& global) {
      reach.from(global.name, global.object, steps);
      return !reach.exhausted();
    });
  }
}

void walk_holders(const Objects& o, const Frames& frames, const Wanted& wanted, Listener& listener) {
  Reach reach(o, listener, wanted.limits);
  // Names themselves first, then ever further away, so that an array gets its shortest name.
  for (int steps = 0; steps <= wanted.limits.steps; ++steps) {
    reach.begin_round();
    reach_locals(o, frames, steps, reach, listener);
    reach_globals(o, frames.dying, steps, reach, listener);
  }
  if (reach.exhausted()) listener.cut_short();
}

}  // namespace

void walk_everything(const Memory& memory, const Interpreter& interpreter, const Wanted& wanted, Listener& listener) {
  const Objects objects(memory, interpreter.layout, wanted.tensors);
  DyingRunsPython dying(wanted);
  walk(memory, interpreter, dying);
  const bool of_others = !dying.yes && !wanted.at_exception;
  FramesWithValues frames(objects, wanted, of_others ? most_threads_with_values : 0, dying.threads, listener);
  walk(memory, interpreter, frames);
  if (!interpreter.layout.knows_objects()) return;
  const Address state = frames.dying_state.value ? frames.dying_state : frames.first_state;
  if (state.value)
    walk_thread_names(objects, objects.pointer(state + interpreter.layout.thread.interpreter),
                      [&](std::uint64_t id, std::string_view name) { listener.thread_name(id, name); });
  if (const auto at = interpreter.layout.interpreter.recursion_limit; at && state.value) {
    const Address of = objects.pointer(state + interpreter.layout.thread.interpreter);
    if (const auto limit = memory.read_value<std::int32_t>(of + *at)) listener.recursion_limit(*limit);
  }
  std::array<TracebackFrame, most_frames_with_holders> traceback;
  std::size_t traced = 0;
  const auto keep = [&](const TracebackFrame& frame) {
    if (traced < traceback.size()) traceback[traced++] = frame;
  };
  if (state.value) walk_exception(objects, state, wanted.at_exception, listener, keep);
  walk_holders(objects, {std::span(frames.frames).first(frames.count), std::span(traceback).first(traced)}, wanted, listener);
}

}  // namespace sigwhy::python
