#include "python/frames.h"

#include <algorithm>
#include <array>

#include "python/texts.h"

namespace sigwhy::python {

namespace {

constexpr int most_interpreters = 16;
constexpr int most_threads = 1024;
constexpr int most_inner_frames = 384, most_outer_frames = 128;
constexpr int most_steps = 8192;  // along one chain of frames
constexpr std::uint64_t most_table_bytes = 64u << 10;

constexpr int most_steps_of_all = 64 << 10;

// Too large for the stack of a small process, and one walk runs at a time.
std::array<std::byte, most_table_bytes> table_buffer;

class Walk {
 public:
  Walk(const Memory& memory, const Layout& layout, FrameSink& sink) : memory_(memory), layout_(layout), sink_(sink) {}

  // Of all interpreters: the variable with the thread state that holds the GIL.
  void gil_holder_at(Address variable) { holder_ = memory_.read_value<std::uint64_t>(variable); }

  void interpreter(Address at) {
    if (layout_.gil.in_interpreter) holder_ = holder_in(pointer(at + *layout_.gil.in_interpreter));
    Address thread = pointer(at + layout_.interpreter.threads_head);
    for (int i = 0; i < most_threads && thread.value && !sink_.enough(); ++i) {
      if (pointer(thread + layout_.thread.interpreter) != at) return;
      this->thread(thread);
      thread = pointer(thread + layout_.thread.next);
    }
  }

  void interpreters(Address head) {
    for (int i = 0; i < most_interpreters && head.value && !sink_.enough(); ++i) {
      interpreter(head);
      head = pointer(head + layout_.interpreter.next);
    }
  }

  bool frame(Address at, std::optional<int> known_offset = std::nullopt) {
    const Address code{pointer(at + layout_.frame.code).value & ~std::uint64_t{layout_.frame.tag_mask}};
    return code.value && this->code(at, code, known_offset ? *known_offset : offset(at, code));
  }

  bool code(Address at, Address code, int offset) {
    Text file, function;
    const Address name = pointer(code + layout_.code.qualified_name.value_or(layout_.code.name));
    if (!read_text(memory_, layout_, pointer(code + layout_.code.filename), file) ||
        !read_text(memory_, layout_, name, function) || file.size == 0)
      return false;
    const auto first_line = memory_.read_value<std::int32_t>(code + layout_.code.first_line);
    if (!first_line) return false;
    sink_.frame({.at = at,
                 .file = file.view(),
                 .function = function.view(),
                 .first_line = *first_line,
                 .offset = offset,
                 .line_table = table(pointer(code + layout_.code.line_table))});
    return true;
  }

  Address pointer(Address at) const { return {memory_.read_value<std::uint64_t>(at).value_or(0)}; }

  // In bytes into the bytecode.
  int offset_of(std::uint64_t instruction, Address code) const {
    if (layout_.frame.last_instruction) {
      const auto last = static_cast<std::int32_t>(instruction);
      return last < 0 ? 0 : last * layout_.instruction_unit;
    }
    if (!layout_.frame.instruction || !layout_.code.instructions) return 0;
    const auto distance = Address{instruction} - (code + *layout_.code.instructions);
    return distance < 0 || distance > (1 << 26) ? 0 : static_cast<int>(distance);
  }

 private:
  void thread(Address at) {
    WalkedThread t{.at = at, .thread_id = pointer(at + layout_.thread.thread_id).value};
    if (const auto offset = layout_.thread.native_thread_id) t.native_thread_id = pointer(at + *offset).value;
    if (holder_) t.holds_gil = *holder_ == at.value;
    if (!sink_.wants(t)) return;
    sink_.thread(t);
    Address frame = visit_frames(innermost(at), most_inner_frames);
    if (!frame.value || sink_.enough()) return;
    const LeftOut left_out = skip_to_outermost(frame);
    if (left_out.frames) sink_.left_out(left_out);
    if (!left_out.outer_too) visit_frames(frame, most_steps);
  }

  std::optional<std::uint64_t> holder_in(Address gil) const {
    const auto locked = gil.value ? memory_.read_value<std::int32_t>(gil + layout_.gil.locked) : std::nullopt;
    if (!locked) return std::nullopt;
    return *locked == 1 ? memory_.read_value<std::uint64_t>(gil + layout_.gil.holder) : 0;
  }

  // Returns the first one behind them, or none. Shims are not counted; a chain of nothing else ends all the same.
  Address visit_frames(Address frame, int most) {
    for (int seen = 0, steps = 0; frame.value && seen < most && steps < most_steps && !sink_.enough(); ++steps) {
      if (!visit(frame)) return {};
      seen += !is_shim(frame);
      frame = previous(frame);
    }
    return frame;
  }

  // Moves on to the first of the outermost frames. A chain that never ends (memory that lies) is as good as one
  // that is too long.
  LeftOut skip_to_outermost(Address& frame) {
    int length = 0, steps = 0;
    for (Address at = frame; at.value && steps <= most_steps; at = previous(at), ++steps) length += !is_shim(at);
    LeftOut passed{.outer_too = steps > most_steps};
    const auto between = static_cast<std::size_t>(std::max(0, passed.outer_too ? length : length - most_outer_frames));
    for (; frame.value && passed.frames < between; frame = previous(frame)) {
      passed.frames += !is_shim(frame);
      passed.runs += ends_run(frame);
    }
    return passed;
  }

  Address previous(Address frame) {
    if (--steps_left_ < 0) return {};
    const Address outer = pointer(frame + layout_.frame.previous);
    return outer == frame ? Address{} : outer;
  }

  bool visit(Address frame) {
    if (!is_shim(frame) && !this->frame(frame)) return false;
    // A shim is a variable of the loop's.
    if (ends_run(frame)) sink_.run_ends(is_shim(frame) ? std::optional(frame) : std::nullopt);
    return true;
  }

  Address innermost(Address thread) const {
    if (layout_.thread.frame) return pointer(thread + *layout_.thread.frame);
    if (!layout_.thread.cframe || !layout_.thread.cframe_frame) return {};
    const Address cframe = pointer(thread + *layout_.thread.cframe);
    return cframe.value ? pointer(cframe + *layout_.thread.cframe_frame) : Address{};
  }

  std::uint8_t owner(Address frame) const {
    return layout_.frame.owner ? memory_.read_value<std::uint8_t>(frame + *layout_.frame.owner).value_or(0) : 0;
  }
  bool is_shim(Address frame) const { return owner(frame) >= layout_.frame.shim_owner; }

  // Up to 3.10 each frame has the loop to itself; 3.11 marks the frames that C called; since 3.12 C puts a shim
  // before what it calls. The outermost shim of all is the thread's own and no call.
  bool ends_run(Address frame) {
    if (layout_.frame.is_entry) return memory_.read_value<std::uint8_t>(frame + *layout_.frame.is_entry).value_or(0) != 0;
    if (!layout_.frame.owner) return true;
    return owner(frame) == layout_.frame.shim_owner && !(layout_.thread.base_shim && !previous(frame).value);
  }

  int offset(Address frame, Address code) const {
    if (layout_.frame.last_instruction)
      return offset_of(static_cast<std::uint32_t>(memory_.read_value<std::int32_t>(frame + *layout_.frame.last_instruction).value_or(-1)), code);
    return layout_.frame.instruction ? offset_of(pointer(frame + *layout_.frame.instruction).value, code) : 0;
  }

  std::span<const std::byte> table(Address object) const {
    const auto size = memory_.read_value<std::uint64_t>(object + layout_.bytes.size).value_or(0);
    if (size > table_buffer.size()) return {};
    return std::span(table_buffer).first(memory_.read(object + layout_.bytes.data, std::span(table_buffer).first(size)));
  }

  const Memory& memory_;
  const Layout& layout_;
  FrameSink& sink_;
  std::optional<std::uint64_t> holder_;  // 0: nobody
  int steps_left_ = most_steps_of_all;
};

}  // namespace

void walk_frame(const Memory& memory, const Layout& layout, Address frame, int offset, FrameSink& sink) {
  Walk(memory, layout, sink).frame(frame, offset);
}

void walk_code(const Memory& memory, const Layout& layout, Address code, std::uint64_t instruction, FrameSink& sink) {
  Walk walk(memory, layout, sink);
  const Address at{code.value & ~std::uint64_t{layout.frame.tag_mask}};
  if (at.value) walk.code(Address{}, at, walk.offset_of(instruction, at));
}

void walk(const Memory& memory, const Interpreter& in, FrameSink& sink) {
  Walk walk(memory, in.layout, sink);
  if (in.current_thread) walk.gil_holder_at(*in.current_thread);
  else if (in.runtime && in.layout.runtime.current_thread) walk.gil_holder_at(*in.runtime + *in.layout.runtime.current_thread);
  if (in.runtime && in.layout.runtime.interpreters_head)
    return walk.interpreters(walk.pointer(*in.runtime + *in.layout.runtime.interpreters_head));
  const Address first = in.head ? walk.pointer(*in.head) : Address{};
  if (first.value) return walk.interpreters(first);
  if (!in.current_thread) return;
  const Address thread = walk.pointer(*in.current_thread);
  if (thread.value) walk.interpreter(walk.pointer(thread + in.layout.thread.interpreter));
}

}  // namespace sigwhy::python
