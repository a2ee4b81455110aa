// The table is a row of 64-bit words: the mark "xdebugpy", the version as in PY_VERSION_HEX, whether the build is
// free-threaded, then one group per structure: its size, then offsets in it. Each release line put in new groups and
// new words, so both groups and words moved; where they went is all that is known here of a line.
#include "python/self_described.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace sigwhy::python {

namespace {

constexpr std::size_t words_read = 94;  // up to the end of the last group we use, in the longest table
using Words = std::array<std::uint64_t, words_read>;

// Where each group begins, in words, and words inside a group that moved.
struct Groups {
  int minor;
  std::size_t runtime, interpreter, thread, frame, code, bytes, text;
  std::size_t modules;    // in interpreter; the words behind it moved with it
  std::size_t thread_id;  // in thread, and so on
  bool base_frame;        // in thread: there is one
};
constexpr Groups known_groups[] = {
    {.minor = 13, .runtime = 3, .interpreter = 6, .thread = 19, .frame = 28, .code = 34, .bytes = 64, .text = 67,
     .modules = 5, .thread_id = 5, .base_frame = false},
    {.minor = 14, .runtime = 3, .interpreter = 6, .thread = 22, .frame = 31, .code = 39, .bytes = 74, .text = 77,
     .modules = 6, .thread_id = 5, .base_frame = false},
    {.minor = 15, .runtime = 3, .interpreter = 6, .thread = 22, .frame = 39, .code = 47, .bytes = 86, .text = 89,
     .modules = 6, .thread_id = 8, .base_frame = true},
};

struct Version {
  int major, minor, level;
};

Version version_of(std::uint64_t hex) {
  return {.major = static_cast<int>(hex >> 24 & 0xff),
          .minor = static_cast<int>(hex >> 16 & 0xff),
          .level = static_cast<int>(hex >> 4 & 0xf)};
}

const Groups* groups_of(const Words& words) {
  if (std::memcmp(words.data(), "xdebugpy", 8) != 0) return nullptr;
  const bool free_threaded = words[2] != 0;
  if (free_threaded || words[1] > 0xffffffff) return nullptr;
  const auto version = version_of(words[1]);
  // Alphas and betas still changed the table.
  constexpr int release_candidate = 0xc;
  if (version.major != 3 || version.level < release_candidate) return nullptr;
  for (const auto& groups : known_groups)
    if (groups.minor == version.minor) return &groups;
  return nullptr;
}

// One structure's words. An offset that does not lie inside the structure spoils the whole table.
class Group {
 public:
  Group(const Words& words, std::size_t start, bool& sound) : words_(words), start_(start), sound_(sound) {
    // Far above any CPython structure; keeps sums of offsets small.
    constexpr std::uint64_t largest = 16 << 20;
    if (size() == 0 || size() > largest) sound_ = false;
  }

  std::uint64_t size() const { return words_[start_]; }

  Offset offset(std::size_t index, std::size_t width = sizeof(std::uint64_t)) const {
    const auto value = words_[start_ + index];
    if (value > size() || width > size() - value) sound_ = false;
    return static_cast<Offset>(value);
  }

 private:
  const Words& words_;
  std::size_t start_;
  bool& sound_;
};

void read_threads(Layout& layout, const Groups& at, const Group& runtime, const Group& interpreter,
                  const Group& thread) {
  layout.runtime.interpreters_head = runtime.offset(2);
  layout.interpreter.next = interpreter.offset(2);
  layout.interpreter.threads_head = interpreter.offset(3);
  layout.interpreter.modules = interpreter.offset(at.modules);
  layout.interpreter.sys = interpreter.offset(at.modules + 1);
  // Offsets of the GIL's fields count from the interpreter that owns it; another may share it.
  layout.gil.in_interpreter = interpreter.offset(at.modules + 3);
  const auto gil = interpreter.offset(at.modules + 4);
  layout.gil.locked = interpreter.offset(at.modules + 6, sizeof(std::int32_t)) - gil;
  layout.gil.holder = interpreter.offset(at.modules + 7) - gil;
  layout.thread.next = thread.offset(2);
  layout.thread.interpreter = thread.offset(3);
  layout.thread.frame = thread.offset(4);
  layout.thread.thread_id = thread.offset(at.thread_id);
  layout.thread.native_thread_id = thread.offset(at.thread_id + 1);
  layout.thread.base_shim = at.base_frame;
}

void read_frames(Layout& layout, const Group& frame, const Group& code) {
  layout.frame.previous = frame.offset(1);
  layout.frame.code = frame.offset(2);
  layout.frame.instruction = frame.offset(3);
  layout.frame.locals = frame.offset(4, 0);
  layout.frame.owner = frame.offset(5, 1);
  layout.code.filename = code.offset(1);
  layout.code.name = code.offset(2);
  layout.code.qualified_name = code.offset(3);
  layout.code.line_table = code.offset(4);
  layout.code.first_line = code.offset(5, sizeof(std::int32_t));
  layout.code.argument_count = code.offset(6, sizeof(std::int32_t));
  layout.code.local_names = code.offset(7);
  layout.code.local_kinds = code.offset(8);
  layout.code.instructions = code.offset(9, 1);
}

void read_texts(Layout& layout, const Group& bytes, const Group& text) {
  layout.bytes.size = bytes.offset(1);
  layout.bytes.data = bytes.offset(2, 1);
  layout.text.state = text.offset(1, sizeof(std::uint32_t));
  layout.text.length = text.offset(2);
  // The fourth word is the size of an ASCII string's head: its characters follow it. The structure itself is the
  // head of a compact string and one pointer more.
  layout.text.ascii_data = text.offset(3);
  layout.text.compact_data = static_cast<Offset>(text.size() - sizeof(std::uint64_t));
}

}  // namespace

bool is_free_threaded(const Memory& memory, Address runtime) {
  const auto head = memory.read_value<std::array<std::uint64_t, 3>>(runtime);
  return head && std::memcmp(head->data(), "xdebugpy", 8) == 0 && (*head)[2] == 1;
}

std::optional<Layout> described_layout(const Memory& memory, Address runtime) {
  const auto words = memory.read_value<Words>(runtime);
  if (!words) return std::nullopt;
  const auto* groups = groups_of(*words);
  if (!groups) return std::nullopt;

  bool sound = true;
  const auto group = [&](std::size_t start) { return Group(*words, start, sound); };
  // What the table leaves out (objects, mostly) stays as the release line's own headers have it.
  Layout layout{.major = 3, .minor = groups->minor};
  if (const Layout* tabled = tabled_layout(3, groups->minor)) layout = *tabled;
  read_threads(layout, *groups, group(groups->runtime), group(groups->interpreter), group(groups->thread));
  read_frames(layout, group(groups->frame), group(groups->code));
  read_texts(layout, group(groups->bytes), group(groups->text));
  layout.lines = LineTable::locations;
  if (groups->minor >= 14) {
    // Frames refer to their code and their locals by tagged references.
    layout.frame.tag_mask = 3;
  }
  if (!sound || layout.text.compact_data < layout.text.ascii_data) return std::nullopt;
  return layout;
}

}  // namespace sigwhy::python
