#include "native/call_site.h"

#include <algorithm>
#include <array>

#include "native/instruction_decoder.h"

namespace sigwhy::native {

namespace {

// call r/m with prefix, SIB and 32-bit displacement is 8 bytes, `call rel32` 5, `call rax` 2.
constexpr std::size_t shortest_call = 2, longest_call = 9;

bool is_call(std::span<const std::byte> code) {
  ZydisDecodedInstruction instruction;
  return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder(), nullptr, code.data(), code.size(), &instruction)) &&
         instruction.length == code.size() && instruction.mnemonic == ZYDIS_MNEMONIC_CALL;
}

}  // namespace

bool is_executable(const Target& target, Address a) {
  const auto index = mapping_at(target.mappings, a);
  return index && target.mappings[*index].executable;
}

bool ends_with_call(std::span<const std::byte> code) {
  for (auto size = shortest_call; size <= std::min(longest_call, code.size()); ++size)
    if (is_call(code.last(size))) return true;
  return false;
}

std::optional<bool> is_return_address(const Target& target, const Memory& code, Address a) {
  if (!is_executable(target, a)) return false;
  std::array<std::byte, longest_call> before;
  for (auto size = longest_call; size >= shortest_call; --size) {
    const auto part = std::span(before).first(size);
    if (code.read(a - size, part) == size) return ends_with_call(part);
  }
  return std::nullopt;
}

}  // namespace sigwhy::native
