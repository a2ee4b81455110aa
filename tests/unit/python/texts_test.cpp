// 2.7's unicode strings lie outside of their object, in four or two bytes a character.
#include "python/texts.h"

#include <gtest/gtest.h>

namespace sigwhy::python {

namespace {

class OwnMemory final : public Memory {
 public:
  std::size_t read(Address from, std::span<std::byte> into) const override {
    if (from.value < 4096) return 0;
    std::memcpy(into.data(), reinterpret_cast<const void*>(from.value), into.size());
    return into.size();
  }
};

struct Unicode {
  std::uint64_t references = 1, type = 0;
  std::int64_t length;
  std::uint64_t data;
};

template <class Character>
std::string text_of(std::basic_string<Character> characters, std::int64_t length) {
  const Unicode object{.length = length, .data = reinterpret_cast<std::uint64_t>(characters.data())};
  std::array<char, 32> into;
  const auto size = read_wide_text(OwnMemory(), Address{reinterpret_cast<std::uint64_t>(&object)}, into);
  return size ? std::string(into.data(), *size) : "none";
}

}  // namespace

TEST(WideText, InFourBytesACharacter) { EXPECT_EQ(text_of<char32_t>(U"OOM when \u00e9", 10), "OOM when \u00e9"); }

TEST(WideText, InTwoBytesACharacter) { EXPECT_EQ(text_of<char16_t>(u"OOM when", 8), "OOM when"); }

TEST(WideText, NoneOfALengthThatCannotBe) { EXPECT_EQ(text_of<char32_t>(U"OOM", -3), "none"); }

TEST(WideText, CutWhereItDoesNotFit) {
  EXPECT_EQ(text_of<char32_t>(U"0123456789012345678901234567890123456789", 40), "01234567890123456789012345678901");
}

}  // namespace sigwhy::python
