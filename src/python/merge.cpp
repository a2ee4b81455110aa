#include "python/merge.h"

#include <fmt/format.h>

#include <algorithm>

namespace sigwhy::python {

namespace {

// A part that the compiler moved away (".cold", ".part.0") has the function's name with an ending.
bool is_loop(const Frame& frame, std::string_view eval_loop) {
  if (!frame.symbol || !frame.symbol->starts_with(eval_loop)) return false;
  return frame.symbol->size() == eval_loop.size() || (*frame.symbol)[eval_loop.size()] == '.';
}

// The calls of the loop that the native stack shows, as indices of its frames.
struct LoopCalls {
  std::vector<std::size_t> inner;  // up to where frames are certain and none is folded away
  std::vector<std::size_t> outer;  // behind a repetition
  std::uint64_t folded = 0;        // in the repetitions that are not shown
  bool whole = false;              // the stack reaches its outermost frame
};

bool is_outermost(const Frame& frame) {
  static constexpr std::string_view names[] = {"_start", "clone", "clone3", "__clone", "__clone3", "__clone_internal"};
  return frame.symbol && std::ranges::find(names, *frame.symbol) != std::end(names);
}

LoopCalls loop_calls(const Thread& thread, std::string_view eval_loop) {
  LoopCalls found;
  const auto& r = thread.repetition;
  const std::size_t behind = r ? r->first + r->period : thread.frames.size();
  for (std::size_t i = 0; i < thread.frames.size(); ++i) {
    const Frame& frame = thread.frames[i];
    if (frame.trust == Trust::scan) return found;
    if (!is_loop(frame, eval_loop)) continue;
    if (i < behind) found.inner.push_back(i);
    else found.outer.push_back(i);
    if (r && i >= r->first && i < behind) found.folded += r->times - 1;
  }
  found.whole = !thread.frames.empty() && is_outermost(thread.frames.back()) && !(r && r->estimated_times);
  return found;
}

void set(Thread& thread, std::size_t frame, const Runs::Run& run) {
  if (run.frames && run.frames->count) thread.frames[frame].python = run.frames;
}

// Where no frames are folded away and all are certain, an address on the stack belongs to exactly one.
std::optional<std::size_t> frame_around(const Thread& thread, Address on_stack) {
  for (std::size_t i = 0; i + 1 < thread.frames.size(); ++i) {
    const auto &low = thread.frames[i].stack_pointer, &high = thread.frames[i + 1].stack_pointer;
    if (thread.frames[i + 1].trust == Trust::scan || !low || !high) return std::nullopt;
    if (*low <= on_stack && on_stack < *high) return i;
  }
  return std::nullopt;
}

bool merge_by_address(Thread& thread, const Runs& runs) {
  if (thread.repetition || runs.all().empty() || !runs.all()[0].on_stack) return false;
  std::optional<std::size_t> last;
  for (const auto& run : runs.all()) {
    const auto frame = run.on_stack ? frame_around(thread, *run.on_stack) : std::nullopt;
    if (!frame) continue;
    if (last && *frame <= *last) return false;
    last = frame;
  }
  if (!last) return false;
  for (const auto& run : runs.all())
    if (const auto frame = run.on_stack ? frame_around(thread, *run.on_stack) : std::nullopt) set(thread, *frame, run);
  return true;
}

void merge_by_count(Thread& thread, const Runs& runs, std::string_view eval_loop) {
  const auto calls = loop_calls(thread, eval_loop);
  const auto& all = runs.all();
  const std::uint64_t total = calls.inner.size() + calls.folded + calls.outer.size();
  const bool both_whole = calls.whole && runs.whole() && !runs.unfinished();
  if (both_whole ? total != all.size() : calls.inner.size() > all.size()) return;
  for (std::size_t i = 0; i < calls.inner.size(); ++i) set(thread, calls.inner[i], all[i]);
  if (!both_whole) return;
  const auto skipped = all.size() - calls.outer.size();
  for (std::size_t i = 0; i < calls.outer.size(); ++i) set(thread, calls.outer[i], all[skipped + i]);
}

}  // namespace

void Runs::end(std::optional<Address> on_stack) {
  if (unfinished()) entries_.push_back(frames_ - 1);
  close(on_stack);
}

void Runs::close(std::optional<Address> on_stack) {
  all_.push_back({PythonRun{.first = begun_, .count = frames_ - begun_}, on_stack});
  begun_ = frames_;
}

void Runs::leave_out(const LeftOut& what) {
  left_out_ = what.frames;
  cut_ = what.outer_too;
  if (what.runs == 0) return;
  close(std::nullopt);
  all_.resize(all_.size() + what.runs - 1);
}

void Runs::append(const Runs& outer) {
  if (unfinished()) close(std::nullopt);
  for (Run run : outer.all_) {
    if (run.frames) run.frames->first += frames_;
    all_.push_back(run);
  }
  for (const auto index : outer.entries_) entries_.push_back(frames_ + index);
  begun_ = frames_ + outer.begun_;
  frames_ += outer.frames_;
  left_out_ += outer.left_out_;
  cut_ |= outer.cut_;
}

void merge(Thread& thread, const Runs& runs, std::string_view eval_loop, std::vector<Gap>& gaps) {
  if (runs.frames_left_out() && thread.died)
    gaps.push_back({fmt::format("{}{} Python frames of the thread that died", runs.whole() ? "" : "more than ",
                                runs.frames_left_out()),
                    runs.whole() ? "a case keeps the innermost and the outermost of a very deep stack"
                                 : "a case keeps the innermost of a very deep stack", ""});
  for (const auto index : runs.entries()) thread.python[index].entry = true;
  if (!merge_by_address(thread, runs)) merge_by_count(thread, runs, eval_loop);
}

}  // namespace sigwhy::python
