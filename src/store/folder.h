// Which folder holds the cases, and files in it that are whole whenever they exist.
//
// SIGWHY_DIR, else $XDG_STATE_HOME/sigwhy/cases, else ~/.local/state/sigwhy/cases; where there is no home
// (a daemon, a bare container), or one that cannot be written (docker --user leaves HOME=/), a folder of the user's own
// below $TMPDIR or /tmp. A home that is named but not there is not made: the program may ask whether it is.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sigwhy::store {

// Asks the environment, and of the home whether it is there and can be written to: the same answer for who keeps a case
// and for who looks for it.
std::string case_folder();

// Makes the folder with mode 0700 where it is missing. One that somebody else owns below a shared folder like
// /tmp is refused: it could be a trap.
Result<void> make_folder(const std::string& path);

// Writes under another name, then renames: readers see the old file or the new one. Mode 0600.
// `time_unix_ms` becomes the file's time. A device or a pipe is written to as it is.
Result<void> write_whole(const std::string& path, std::string_view bytes,
                         std::optional<std::int64_t> time_unix_ms = {});

// At most `most` bytes; a larger file is an error, not a part.
Result<std::string> read_whole(const std::string& path, std::uint64_t most);

// The first bytes, at most `most`.
Result<std::string> read_start(const std::string& path, std::size_t most);

}  // namespace sigwhy::store
