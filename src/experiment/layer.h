// The throw-away layer: a command runs in namespaces of its own over copies-on-write of every mount that it could
// write to, so that it sees the user's files and cannot change one of them.
//
//   mounts     an overlay per writable mount, its upper layer in a scratch folder on a disk (a tmpfs would be charged
//              to the memory group under test); what cannot be overlaid is read-only
//   processes  a PID namespace whose init is ours: whatever it started is gone when the run is over
//   network    a network namespace with nothing but `lo`, unless asked for; System V IPC likewise
//
// As root these are plain mounts. An ordinary user gets them through a user namespace, which many containers refuse:
// then the layer is refused with the reason, and the caller asks.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace sigwhy::experiment {

struct LayerRun {
  std::vector<std::string> argv;
  std::vector<std::string> environment;
  std::string directory;
  std::string stdin_file;  // empty: /dev/null
  double seconds = 600;
  std::uint64_t bytes = 8ull << 30;
  bool network = false;
  bool without_layer = false;
  std::optional<std::uint64_t> memory_bytes;
};

// What it left in the layer.
struct Written {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

struct LayerEnd {
  std::optional<int> wait_status;  // absent: it was stopped, see the next three
  bool timed_out = false;
  bool interrupted = false;
  bool full = false;
  double seconds = 0;
  std::optional<std::uint64_t> peak_bytes;
  std::string output_tail;
  Written wrote;
  std::string read_only;  // places that it can write to outside and could not in the layer, with commas; mostly none
};

class Scratch;

// Runs it to its end. The scratch folder is seen at the same place inside, and what is written below scratch.out()
// comes back. An error: the layer is refused, and why.
Result<LayerEnd> run_in_layer(const LayerRun& run, const Scratch& scratch);

// Whether a layer can be had here; the error says why not. Runs nothing.
Result<void> try_layer(const std::string& layers_folder, bool network);

}  // namespace sigwhy::experiment
