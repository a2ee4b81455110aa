// The file tree that a layer shows: every mount of the old one at its place, none of it writable for good.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace sigwhy::experiment {

struct NewRoot {
  std::string layers;  // folder for the upper layers; empty inside
  std::string out;     // folder that is the same inside and outside
  bool in_memory = false;    // the upper layers in a tmpfs of this many bytes
  std::uint64_t bytes = 0;
  bool fresh_proc = true;    // in a PID namespace of its own
  std::vector<std::string> places;  // folders that it will want to write to: working directory, home
};

// Makes this process's root the new one. Its mount namespace must be its own. After an error the process is of no
// further use. Returns the places that can be written to outside and are read-only inside, as no overlay could be had.
Result<std::vector<std::string>> enter_new_root(const NewRoot& wish);

}  // namespace sigwhy::experiment
