#include "native/unwind_guess.h"

#include "native/call_site.h"

namespace sigwhy::native {

namespace {
constexpr std::uint64_t word_bytes = 8;
constexpr std::uint64_t most_scanned_words = 64;
constexpr std::uint8_t direct_call_opcode = 0xe8;
constexpr std::uint64_t most_function_bytes = 4096;
}  // namespace

GuessedCaller CallerGuess::caller(const UnwindRegisters& from, Address slot, std::uint64_t return_address,
                                  Trust trust) const {
  GuessedCaller result{from, trust};
  result.registers.values[UnwindRegisters::rip] = return_address - 1;
  result.registers.values[UnwindRegisters::rsp] = slot.value + word_bytes;
  return result;
}

std::optional<GuessedCaller> CallerGuess::by_return_slot(const UnwindRegisters& from) const {
  const auto word = words_.at(from.sp());
  if (!word || !is_return_address(target_, code_, Address{*word}).value_or(true)) return std::nullopt;
  return caller(from, from.sp(), *word, Trust::return_slot);
}

std::optional<GuessedCaller> CallerGuess::by_call_to(Address pc, const UnwindRegisters& from) const {
  const auto word = words_.at(from.sp());
  if (!word || !is_return_address(target_, code_, Address{*word}).value_or(false)) return std::nullopt;
  const auto opcode = code_.read_value<std::uint8_t>(Address{*word} - 5);
  const auto distance = code_.read_value<std::int32_t>(Address{*word} - 4);
  if (opcode != direct_call_opcode || !distance) return std::nullopt;
  const Address function{*word + static_cast<std::uint64_t>(std::int64_t{*distance})};
  if (function > pc || pc.value - function.value > most_function_bytes) return std::nullopt;
  return caller(from, from.sp(), *word, Trust::return_slot);
}

std::optional<GuessedCaller> CallerGuess::by_frame_pointer(const UnwindRegisters& from, Address stack_high) const {
  const auto bp = from.bp();
  if (bp.value % word_bytes != 0 || bp < from.sp() || bp >= stack_high) return std::nullopt;
  const auto saved = words_.at(bp), back = words_.at(bp + word_bytes);
  if (!saved || !back || !is_return_address(target_, code_, Address{*back}).value_or(true)) return std::nullopt;
  auto result = caller(from, bp + word_bytes, *back, Trust::frame_pointer);
  result.registers.values[UnwindRegisters::rbp] = *saved;
  return result;
}

std::optional<GuessedCaller> CallerGuess::by_scan(const UnwindRegisters& from, Address stack_high) const {
  auto slot = Address{(from.sp().value + word_bytes - 1) / word_bytes * word_bytes};
  for (std::uint64_t i = 0; i < most_scanned_words && slot < stack_high; ++i, slot = slot + word_bytes) {
    const auto word = words_.at(slot);
    if (!word) return std::nullopt;
    if (!is_return_address(target_, code_, Address{*word}).value_or(false)) continue;
    auto result = caller(from, slot, *word, Trust::scan);
    // functions with a frame pointer save their caller's right below the return address
    const auto saved = words_.at(slot - word_bytes);
    if (saved && *saved > slot.value && *saved < stack_high.value && *saved % word_bytes == 0)
      result.registers.values[UnwindRegisters::rbp] = *saved;
    return result;
  }
  return std::nullopt;
}

}  // namespace sigwhy::native
