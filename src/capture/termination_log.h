// `--termination-log FILE`: one screen that says how it stands, kept current, so that whoever finds a dead container
// finds a reason. Kubernetes gives /dev/termination-log, a file that is mounted by itself: nothing can be renamed
// over it, and 4096 bytes of it are read. There it is overwritten in one call; everywhere else a new file is renamed
// into its place. Either way a reader sees one whole text.
#pragma once
#include <string>

#include "capture/run_record.h"

namespace sigwhy::capture {

inline constexpr std::size_t most_log_bytes = 4096;

// errno of the refusal, or 0. A longer text is cut.
int write_termination_log(const std::string& path, std::string text);

std::string standing_words(const RunRecord& record);

}  // namespace sigwhy::capture
