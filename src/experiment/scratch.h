// The folder that a layer lies in: the upper layers of its overlays, the start-up folder, what comes back. It is held
// by a lock, so that one whose sigwhy was killed is told from one in use: the next start sweeps it away, together with
// the memory group that it names.
#pragma once
#include <cstdint>
#include <string>

#include "base/owned_fd.h"
#include "base/result.h"
#include "experiment/layer.h"

namespace sigwhy::experiment {

class Scratch {
 public:
  // Below `layers_folder` if its file system can hold an upper layer, else below $TMPDIR, /var/tmp or /tmp.
  static Result<Scratch> make(const std::string& layers_folder);

  Scratch(Scratch&&) = default;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  const std::string& folder() const { return folder_; }
  std::string out() const { return folder_ + "/out"; }       // seen from inside, writable, kept until the end
  std::string layers() const { return folder_ + "/layers"; }  // upper layers, hidden from inside
  // No disk here can hold an upper layer (the root of a container is an overlay itself): memory must.
  bool in_memory() const { return in_memory_; }

  // So that whoever sweeps this folder removes the group too.
  void remember_group(const std::string& group_folder) const;

 private:
  Scratch(std::string folder, OwnedFd lock, bool in_memory)
      : folder_(std::move(folder)), lock_(std::move(lock)), in_memory_(in_memory) {}
  std::string folder_;
  OwnedFd lock_;
  bool in_memory_ = false;
};

// Regular files and their bytes on disk in the upper layers; whiteouts, folders and what overlayfs keeps for itself
// are not counted.
Written written_below(const std::string& layers);

// What was asked for, at most half of what is free on the disk or a quarter of the free memory.
std::uint64_t bounded_by_room(const Scratch& scratch, std::uint64_t bytes);

// Removes everything below, whatever modes the program gave it.
void remove_tree(const std::string& folder);

}  // namespace sigwhy::experiment
