// Protobuf's messages end at 2 GiB: lengths are signed 32-bit numbers in its C and C++ back ends. Only the C++ one says
// so; upb reports "Failed to serialize proto" and, of bytes that another back end was able to write, damage.
#pragma once
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct LargeMessage {
  std::string words;  // what is known of its size
  std::vector<EvidenceRef> evidence;
};

// Absent: another exception, or no value of that size in sight.
std::optional<LargeMessage> large_message(const Facts& facts);

}  // namespace sigwhy::diagnose
