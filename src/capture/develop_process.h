// Who died: what /proc said about the process, in the words of the evidence.
#pragma once
#include "evidence/snapshot.h"
#include "target/target.h"

namespace sigwhy::capture {

Process process_of(const Target& target);
// From the siginfo alone; the wait status comes later.
Termination termination_of(const Target& target);
// `command`: the sender's, as far as it was seen.
Sender sender_of(const Target& target, const siginfo_t& info, const std::string& command);

}  // namespace sigwhy::capture
