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

}  // namespace sigwhy::diagnose
