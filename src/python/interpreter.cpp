#include "python/interpreter.h"

#include <algorithm>
#include <array>

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

const Layout* layout_for(Version v) {
  const auto all = all_layouts();
  const auto found = std::ranges::find_if(all, [&](const Layout* l) { return l->major == v.major && l->minor == v.minor; });
  return found == all.end() ? nullptr : *found;
}

// Before 3.7 the list of interpreters is a static variable. The exported function that returns it is one load:
// mov rax, [rip+d]; ret, and in front of it endbr64 where the compiler guards jumps.
std::optional<Address> interpreters_variable(const Memory& memory, Address base) {
  const auto function = dynamic_symbol(memory, base, "PyInterpreterState_Head");
  if (!function) return std::nullopt;
  const bool guarded = memory.read_value<std::uint32_t>(*function) == 0xfa1e0ff3u;
  const Address code = *function + (guarded ? 4 : 0);
  const auto load = memory.read_value<std::array<std::uint8_t, 8>>(code);
  const auto distance = memory.read_value<std::int32_t>(code + 3);
  if (!load || !distance || (*load)[0] != 0x48 || (*load)[1] != 0x8b || (*load)[2] != 0x05 || (*load)[7] != 0xc3)
    return std::nullopt;
  return Address{code.value + 7 + static_cast<std::uint64_t>(static_cast<std::int64_t>(*distance))};
}

}  // namespace

bool may_hold_interpreter(std::string_view name) { return name.starts_with("libpython") || name.starts_with("python"); }

std::optional<Interpreter> interpreter_in(const Memory& memory, const LoadedFile& file) {
  Interpreter found;
  found.runtime = dynamic_symbol(memory, file.base, "_PyRuntime");
  if (!found.runtime) found.current_thread = dynamic_symbol(memory, file.base, "_PyThreadState_Current");
  if (!found.runtime) found.interpreters = interpreters_variable(memory, file.base);
  if (!found.runtime && !found.current_thread) return std::nullopt;
  if (found.runtime)
    if (const auto described = described_layout(memory, *found.runtime)) {
      found.layout = *described;
      return found;
    }
  auto version = version_in_memory(memory, file.base);
  if (!version) version = version_in_name(file.name);
  const Layout* layout = version ? layout_for(*version) : nullptr;
  if (!layout) return std::nullopt;
  found.layout = *layout;
  return found;
}

}  // namespace sigwhy::python
