// The file that an exception is about. The exception names it (OSError.filename), or a loader got it as an argument, or
// it stands on the user's line.
#pragma once
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct InputFile {
  std::string path;
  bool named = false;  // by the exception or on the way of the call; else the only path the user's frame holds
  std::vector<EvidenceRef> evidence;
};

std::optional<InputFile> file_of(const Facts& facts, std::size_t exception);

// What the follow-up found out about a file; nothing where it was not looked at. A relative path is that of the
// process's own folder.
std::optional<std::size_t> input_at(const Facts& facts, std::string_view path);
EvidenceRef input_ref(std::size_t input);
// "at byte 1,234 (record 17): the length's checksum is ...", of a broken one.
std::string flaw_text(const Flaw& flaw);
// "trainer.py (process 4711)"
std::string holder_text(const FileHolder& holder);
// Another process that has it open for writing.
const FileHolder* writer_of(const Input& input);
const FileHolder* locker_of(const Input& input);

}  // namespace sigwhy::diagnose
