#include "guard/python_frames.h"

#include <pthread.h>

#include <cstring>

#include "guard/blocks.h"
#include "guard/placement.h"
#include "guard/state.h"

// The interpreter's own, where it is the program or a library of it; null anywhere else.
extern "C" {
[[gnu::weak]] void* PyGILState_GetThisThreadState();
[[gnu::weak]] const char* Py_GetVersion();
[[gnu::weak]] extern const unsigned long Py_Version;        // since 3.11
[[gnu::weak]] extern unsigned long _PyRuntime[];            // since 3.7; since 3.13 it begins with a table of offsets
[[gnu::weak]] extern void* volatile _PyThreadState_Current;  // up to 3.6
}

namespace sigwhy::guard {

namespace {

constexpr int absent = -1;

struct Offsets {
  int major = 0, minor = 0;
  int frame = absent, cframe = absent, cframe_frame = absent, thread_id = absent;  // in the thread state
  int previous = absent, code = absent, last_instruction = absent, instruction = absent, owner = absent;  // in a frame
  int shim_owner = 0, tag_mask = 0;

  static constexpr u64 behind(int a, int b, int c) {
    const int most = a > b ? (a > c ? a : c) : (b > c ? b : c);
    return static_cast<u64>(most) + sizeof(u64);
  }
  u64 state_bytes() const { return behind(frame, cframe, thread_id); }
  u64 frame_bytes() const {
    return behind(static_cast<int>(behind(previous, code, last_instruction)), instruction, owner);
  }
};

// Since 3.13: which word of the table at _PyRuntime holds the offset.
constexpr Offsets tabled[] = {
#define SIGWHY_TABLED(...) Offsets{__VA_ARGS__},
#define SIGWHY_DESCRIBED(...)
#include "guard/python_offsets.inc"
#undef SIGWHY_TABLED
#undef SIGWHY_DESCRIBED
};
constexpr Offsets described[] = {
#define SIGWHY_TABLED(...)
#define SIGWHY_DESCRIBED(...) Offsets{__VA_ARGS__},
#include "guard/python_offsets.inc"
#undef SIGWHY_TABLED
#undef SIGWHY_DESCRIBED
};

struct Python {
  bool known = false;
  bool own_state_by_call = false;  // else the holder of the GIL, if it is this thread
  Offsets at;
};

const Offsets* find(const Offsets* list, u64 count, int major, int minor) {
  for (u64 i = 0; i < count; ++i)
    if (list[i].major == major && list[i].minor == minor) return &list[i];
  return nullptr;
}

Offsets resolved(const Offsets& words) {
  const auto offset = [](int word) { return word == absent ? absent : static_cast<int>(_PyRuntime[word]); };
  Offsets at = words;
  at.frame = offset(words.frame);
  at.thread_id = offset(words.thread_id);
  at.previous = offset(words.previous);
  at.code = offset(words.code);
  at.instruction = offset(words.instruction);
  at.owner = offset(words.owner);
  return at;
}

int number_at(const char*& text) {
  int value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + (*text - '0');
  return value;
}

Python look_for_python() {
  Python found;
  int major = 0, minor = 0;
  if (&Py_Version) {
    major = static_cast<int>(Py_Version >> 24);
    minor = static_cast<int>(Py_Version >> 16 & 0xff);
  } else if (Py_GetVersion) {
    const char* text = Py_GetVersion();
    major = number_at(text);
    if (*text == '.') minor = number_at(++text);
  }
  const bool describes_itself = _PyRuntime && std::memcmp(_PyRuntime, "xdebugpy", 8) == 0;
  if (describes_itself) {
    const bool free_threaded = _PyRuntime[2] != 0;
    const Offsets* words = find(described, sizeof described / sizeof *described, major, minor);
    if (!words || free_threaded || _PyRuntime[1] >> 16 != (u64{3} << 8 | static_cast<u64>(minor))) return found;
    found.at = resolved(*words);
  } else {
    const Offsets* offsets = find(tabled, sizeof tabled / sizeof *tabled, major, minor);
    if (!offsets) return found;
    found.at = *offsets;
  }
  // 2.7 finds the thread's state in a list under a lock, and allocates while it holds it: not to be called from here.
  found.own_state_by_call = major == 3 && PyGILState_GetThisThreadState;
  found.known = found.own_state_by_call || &_PyThreadState_Current;
  return found;
}

// A state that is being taken apart by another thread (the end of the interpreter, with daemon threads about) may be
// freed, and with us freed memory is not readable; and a build of a layout that we do not know has anything there.
bool is_safe(u64 address, u64 bytes) {
  if (address < page_bytes || address % 8 || address >> 47) return false;
  if (is_ours(reinterpret_cast<void*>(address))) {
    const u32 index = slot_at(reinterpret_cast<void*>(address));
    if (index == none || blocks[index].state != State::live) return false;
    const Span open = touched(blocks[index].start, blocks[index].bytes);
    return address >= open.start && address + bytes <= open.start + open.bytes;
  }
  const u64 page = round_down(address, page_bytes), last = round_down(address + bytes, page_bytes);
  u64& cached = thread.readable_frames[page / page_bytes % 16];
  if (cached != page) {
    if (!is_readable(page)) return false;
    cached = page;
  }
  return last == page || is_readable(last);
}

template <typename T>
T value_at(u64 address, int offset) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(address + static_cast<u64>(offset)), sizeof value);
  return value;
}

u64 own_state(const Python& of) {
  if (of.own_state_by_call) return reinterpret_cast<u64>(PyGILState_GetThisThreadState());
  const auto is_own = [&](u64 state) {
    return is_safe(state, of.at.state_bytes()) && value_at<u64>(state, of.at.thread_id) == static_cast<u64>(pthread_self());
  };
  const u64 holder = reinterpret_cast<u64>(_PyThreadState_Current);
  if (is_own(holder)) return thread.python_state = holder;
  // Without the GIL (in a call by ctypes, say) it is the one that was seen with it.
  return is_own(thread.python_state) ? thread.python_state : 0;
}

Python python;

u64 innermost(const Offsets& at, u64 state) {
  if (at.frame != absent) return value_at<u64>(state, at.frame);
  const u64 cframe = value_at<u64>(state, at.cframe);
  return is_safe(cframe, 2 * sizeof(u64)) ? value_at<u64>(cframe, at.cframe_frame) : 0;
}

}  // namespace

void find_python() {
  if (Py_GetVersion) python = look_for_python();
}

u16 python_frames(PythonFrame* into) {
  if (!python.known) return 0;
  const Offsets& at = python.at;
  const u64 state = own_state(python);
  if (!is_safe(state, at.state_bytes())) return 0;
  u16 count = 0;
  u64 frame = innermost(at, state);
  const u64 frame_bytes = at.frame_bytes();
  constexpr int most_steps = 64;
  for (int step = 0; step < most_steps && count < python_frames_kept && is_safe(frame, frame_bytes); ++step) {
    const bool shim = at.owner != absent && value_at<u8>(frame, at.owner) >= at.shim_owner;
    if (!shim) {
      const u64 instruction = at.last_instruction != absent
                                  ? static_cast<u64>(std::int64_t{value_at<std::int32_t>(frame, at.last_instruction)})
                                  : value_at<u64>(frame, at.instruction);
      into[count++] = {.code = value_at<u64>(frame, at.code) & ~static_cast<u64>(at.tag_mask), .instruction = instruction};
    }
    const u64 outer = value_at<u64>(frame, at.previous);
    if (outer == frame) break;
    frame = outer;
  }
  return count;
}

}  // namespace sigwhy::guard
