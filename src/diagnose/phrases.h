// How facts are said: sizes, counts, functions, accesses, regions. Plain words; addresses are left to --full.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

inline constexpr std::size_t longest_claim = 200;

// "`xs`, `ys` and `zs`"
std::string list_text(const std::vector<std::string>& words);
std::string bytes_text(std::uint64_t bytes);   // "1 byte", "16 bytes", "2.1 MiB"
std::string count_text(std::uint64_t count);   // "60,000"
std::string signed_text(std::int64_t count);   // "-12"
std::string offset_text(std::int64_t offset);  // "0x18", "-0x30"
// One line, blanks folded, cut at `columns` with "...".
std::string one_line(std::string_view text, std::size_t columns);

std::string file_name(std::string_view path);
std::string module_text(const Facts& facts, std::size_t frame);    // "libcrop.so"
std::string function_text(const Facts& facts, std::size_t frame);  // "crop()"
// The function to look at; where it has no name, the one it called.
std::string culprit_text(const Facts& facts);
std::string frame_text(const Facts& facts, std::size_t frame);     // "crop() in libcrop.so"
// Who did it, as the subject of a sentence: "crop() in libcrop.so", "memcpy(), called by crop() in libcrop.so".
std::string subject(const Facts& facts);
std::string did(const MemoryFault& memory);  // "read 8 bytes", "wrote 8 bytes", "touched memory"
std::string region_text(const Facts& facts, std::size_t region);
std::string program_text(const Facts& facts);  // the program's name
std::string sender_text(const Sender& sender);

// A finding with what every finding needs; the claim is cut to longest_claim.
Finding finding(Cause cause, Strength strength, std::string_view claim);

// ---- evidence
EvidenceRef ref(std::string path);
EvidenceRef frame_ref(const Facts& facts, std::size_t frame);
EvidenceRef region_ref(std::size_t region);
EvidenceRef text_ref(std::size_t text);
EvidenceRef exception_ref(std::size_t exception);
EvidenceRef operand_ref(const MemoryFault& memory);
EvidenceRef register_ref(const Facts& facts, std::string_view name);
EvidenceRef signal_ref(const Facts& facts);
// Where an address is described: the pointer, else its region, else the whole map.
EvidenceRef place_ref(const Place& place);

Fact fact(std::string id, std::string sentence, std::vector<EvidenceRef> evidence);
// The faulting instruction and access, the first fact of every finding about a bad access.
Fact access_fact(const Facts& facts);
Fact frame_fact(const Facts& facts, std::size_t frame, std::string sentence);

// The fix of every use after free.
inline constexpr const char* keep_the_owner =
    "Keep the owner alive for as long as its memory is used (in Python: hold a reference to the array or buffer), or "
    "copy the data.";

}  // namespace sigwhy::diagnose
