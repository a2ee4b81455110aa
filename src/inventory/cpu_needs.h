// Which CPU features something asks for, in the words of its maker, against those that /proc/cpuinfo lists.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sigwhy::inventory {

// Of the words in a list ("SSE SSE2 SSE3", "X86_V2", "+avx,+fma"), those that this CPU cannot do, as they are written.
// A word that is not known is passed over: it may mean anything.
std::vector<std::string> missing_features(std::string_view list, const std::vector<std::string>& cpu_features);

// Bits of GNU_PROPERTY_X86_ISA_1_NEEDED as words: "x86-64-v2".
std::string isa_words(unsigned bits);

}  // namespace sigwhy::inventory
