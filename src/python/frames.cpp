#include "python/frames.h"

#include <algorithm>
#include <array>

namespace sigwhy::python {

namespace {

constexpr int most_interpreters = 16;
constexpr int most_threads = 1024;
constexpr int most_frames = 128;
constexpr std::uint64_t most_table_bytes = 64u << 10;

// Too large for the stack of a small process, and one walk runs at a time.
std::array<std::byte, most_table_bytes> table_buffer;

struct Text {
  std::array<char, 512> bytes;
  std::size_t size = 0;
  std::string_view view() const { return {bytes.data(), size}; }
};

class Walk {
 public:
  Walk(const Memory& memory, const Layout& layout, FrameSink& sink) : memory_(memory), layout_(layout), sink_(sink) {}

  void interpreter(Address at) {
    Address thread = pointer(at + layout_.interpreter.threads_head);
    for (int i = 0; i < most_threads && thread.value; ++i) {
      this->thread(thread);
      thread = pointer(thread + layout_.thread.next);
    }
  }

  void interpreters(Address head) {
    for (int i = 0; i < most_interpreters && head.value; ++i) {
      interpreter(head);
      head = pointer(head + layout_.interpreter.next);
    }
  }

  Address pointer(Address at) const { return {memory_.read_value<std::uint64_t>(at).value_or(0)}; }

 private:
  void thread(Address at) {
    WalkedThread t{.thread_id = pointer(at + layout_.thread.thread_id).value};
    if (const auto offset = layout_.thread.native_thread_id) t.native_thread_id = pointer(at + *offset).value;
    sink_.thread(t);
    Address frame = innermost(at);
    for (int i = 0; i < most_frames && frame.value; ++i) {
      const Address previous = pointer(frame + layout_.frame.previous);
      if (!is_shim(frame) && !this->frame(frame)) return;
      if (previous == frame) return;
      frame = previous;
    }
  }

  Address innermost(Address thread) const {
    if (layout_.thread.frame) return pointer(thread + *layout_.thread.frame);
    if (!layout_.thread.cframe || !layout_.thread.cframe_frame) return {};
    const Address cframe = pointer(thread + *layout_.thread.cframe);
    return cframe.value ? pointer(cframe + *layout_.thread.cframe_frame) : Address{};
  }

  bool is_shim(Address frame) const {
    return layout_.frame.owner && memory_.read_value<std::uint8_t>(frame + *layout_.frame.owner) == layout_.frame.shim_owner;
  }

  bool frame(Address at) {
    const Address code{pointer(at + layout_.frame.code).value & ~std::uint64_t{layout_.frame.tag_mask}};
    if (!code.value) return false;
    Text file, function;
    const Address name = pointer(code + layout_.code.qualified_name.value_or(layout_.code.name));
    if (!text(pointer(code + layout_.code.filename), file) || !text(name, function)) return false;
    const auto first_line = memory_.read_value<std::int32_t>(code + layout_.code.first_line);
    if (!first_line) return false;
    sink_.frame({.file = file.view(),
                 .function = function.view(),
                 .first_line = *first_line,
                 .offset = offset(at, code),
                 .line_table = table(pointer(code + layout_.code.line_table))});
    return true;
  }

  int offset(Address frame, Address code) const {
    if (layout_.frame.last_instruction) {
      const auto last = memory_.read_value<std::int32_t>(frame + *layout_.frame.last_instruction).value_or(-1);
      return last < 0 ? 0 : last * layout_.instruction_unit;
    }
    if (!layout_.frame.instruction || !layout_.code.instructions) return 0;
    const auto distance = pointer(frame + *layout_.frame.instruction) - (code + *layout_.code.instructions);
    return distance < 0 || distance > (1 << 26) ? 0 : static_cast<int>(distance);
  }

  std::span<const std::byte> table(Address object) const {
    const auto size = memory_.read_value<std::uint64_t>(object + layout_.bytes.size).value_or(0);
    if (size > table_buffer.size()) return {};
    return std::span(table_buffer).first(memory_.read(object + layout_.bytes.data, std::span(table_buffer).first(size)));
  }

  // Only what is stored one byte a character can be shown as it is; names and paths nearly always are.
  bool text(Address object, Text& into) const {
    const auto length = memory_.read_value<std::int64_t>(object + layout_.text.length);
    if (!length || *length < 0 || *length > 4096) return false;
    Address data = object + layout_.text.ascii_data;
    if (layout_.text.state) {
      const auto state = memory_.read_value<std::uint32_t>(object + *layout_.text.state).value_or(0);
      const bool ascii = state & layout_.text.ascii_bit;
      if (!ascii) data = object + layout_.text.compact_data;
    }
    into.size = std::min<std::size_t>(static_cast<std::size_t>(*length), into.bytes.size());
    return memory_.read(data, std::as_writable_bytes(std::span(into.bytes).first(into.size))) == into.size;
  }

  const Memory& memory_;
  const Layout& layout_;
  FrameSink& sink_;
};

}  // namespace

void walk(const Memory& memory, const Interpreter& in, FrameSink& sink) {
  Walk walk(memory, in.layout, sink);
  if (in.runtime && in.layout.runtime.interpreters_head)
    return walk.interpreters(walk.pointer(*in.runtime + *in.layout.runtime.interpreters_head));
  if (in.interpreters) return walk.interpreters(walk.pointer(*in.interpreters));
  if (!in.current_thread) return;
  const Address thread = walk.pointer(*in.current_thread);
  if (thread.value) walk.interpreter(walk.pointer(thread + in.layout.thread.interpreter));
}

}  // namespace sigwhy::python
