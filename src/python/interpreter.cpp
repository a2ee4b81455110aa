#include "python/interpreter.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "python/self_described.h"
#include "target/dynamic_symbols.h"

namespace sigwhy::python {

namespace {

struct Version {
  int major = 0;
  int minor = 0;
};

// The digits in "libpython3.11.so" or "python2.7".
std::optional<Version> version_in_name(std::string_view name) {
  const auto at = name.find("python");
  if (at == name.npos) return std::nullopt;
  Version v;
  std::size_t i = at + 6;
  if (i >= name.size() || name[i] < '2' || name[i] > '3') return std::nullopt;
  v.major = name[i++] - '0';
  if (i >= name.size() || name[i++] != '.') return std::nullopt;
  const auto digits = i;
  for (; i < name.size() && i < digits + 2 && name[i] >= '0' && name[i] <= '9'; ++i) v.minor = v.minor * 10 + (name[i] - '0');
  return i > digits ? std::optional(v) : std::nullopt;
}

// Exported since 3.11: 0x030b02f0.
std::optional<Version> version_in_memory(const Memory& memory, Address base) {
  const auto symbol = dynamic_symbol(memory, base, "Py_Version");
  const auto value = symbol ? memory.read_value<std::uint32_t>(*symbol) : std::nullopt;
  if (!value) return std::nullopt;
  return Version{static_cast<int>(*value >> 24), static_cast<int>(*value >> 16 & 0xff)};
}

// Before 3.7 the list of interpreters hangs on a variable that is not exported. A function that is returns it, and
// does nothing else: `mov rax, [rip + distance]; ret`, or an absolute address where the program has a fixed place.
std::optional<Address> head_by_code(const Memory& memory, Address base) {
  const auto function = dynamic_symbol(memory, base, "PyInterpreterState_Head");
  const auto code = function ? memory.read_value<std::array<std::uint8_t, 24>>(*function) : std::nullopt;
  if (!code) return std::nullopt;
  constexpr std::uint8_t starts_branch_target[] = {0xf3, 0x0f, 0x1e, 0xfa}, pushes_frame[] = {0x55, 0x48, 0x89, 0xe5};
  std::size_t at = 0;
  const auto skip = [&](std::span<const std::uint8_t> bytes) {
    if (std::equal(bytes.begin(), bytes.end(), code->begin() + at)) at += bytes.size();
  };
  skip(starts_branch_target);
  skip(pushes_frame);
  const std::uint8_t* op = code->data() + at;
  if (op[0] != 0x48 || op[1] != 0x8b) return std::nullopt;
  std::int32_t distance;
  if (op[2] == 0x05) {
    std::memcpy(&distance, op + 3, sizeof distance);
    return *function + at + 7 + static_cast<std::uint64_t>(std::int64_t{distance});
  }
  if (op[2] != 0x04 || op[3] != 0x25) return std::nullopt;
  std::memcpy(&distance, op + 4, sizeof distance);
  return Address{static_cast<std::uint32_t>(distance)};
}

}  // namespace

const Layout* tabled_layout(int major, int minor) {
  const auto all = all_layouts();
  const auto found = std::ranges::find_if(all, [&](const Layout* l) { return l->major == major && l->minor == minor; });
  return found == all.end() ? nullptr : *found;
}

bool may_hold_interpreter(std::string_view name) { return name.starts_with("libpython") || name.starts_with("python"); }

bool is_pypy(std::string_view name) { return name.starts_with("libpypy"); }

std::string_view why_unreadable(const Memory& memory, const LoadedFile& file) {
  if (is_pypy(file.name)) return "this is PyPy, which keeps them in a form of its own";
  const auto runtime = dynamic_symbol(memory, file.base, "_PyRuntime");
  if (runtime && is_free_threaded(memory, *runtime)) return "this interpreter is built without the GIL: its objects differ";
  if (runtime || dynamic_symbol(memory, file.base, "_PyThreadState_Current")) return "this interpreter's layout is not known";
  return {};
}

std::optional<Interpreter> interpreter_in(const Memory& memory, const LoadedFile& file) {
  Interpreter found;
  found.runtime = dynamic_symbol(memory, file.base, "_PyRuntime");
  if (!found.runtime) found.current_thread = dynamic_symbol(memory, file.base, "_PyThreadState_Current");
  if (!found.runtime && !found.current_thread) return std::nullopt;
  if (found.runtime)
    if (const auto described = described_layout(memory, *found.runtime)) {
      found.layout = *described;
      return found;
    }
  auto version = version_in_memory(memory, file.base);
  if (!version) version = version_in_name(file.name);
  const Layout* layout = version ? tabled_layout(version->major, version->minor) : nullptr;
  // A line that describes itself and did not: its table was unreadable or of a build we do not know.
  if (!layout || !layout->interpreter.threads_head) return std::nullopt;
  found.layout = *layout;
  if (!found.runtime) found.head = head_by_code(memory, file.base);
  return found;
}

}  // namespace sigwhy::python
