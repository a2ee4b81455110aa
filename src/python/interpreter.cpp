#include "python/interpreter.h"

#include <algorithm>

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

}  // namespace

const Layout* tabled_layout(int major, int minor) {
  const auto all = all_layouts();
  const auto found = std::ranges::find_if(all, [&](const Layout* l) { return l->major == major && l->minor == minor; });
  return found == all.end() ? nullptr : *found;
}

bool may_hold_interpreter(std::string_view name) { return name.starts_with("libpython") || name.starts_with("python"); }

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
  return found;
}

}  // namespace sigwhy::python
