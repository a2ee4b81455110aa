// Mounting: overlays over what may be written to, read-only views of the rest. Paths may hold commas and colons, which
// mount options cannot; so folders are opened first and named as /proc/self/fd/N.
#pragma once
#include <cstdint>
#include <string>

#include "base/result.h"

namespace sigwhy::experiment {

enum class UpperKind {
  disk,    // in the scratch folder
  memory,  // a tmpfs of its own: for what lies in memory anyway, /dev/shm
};

class Overlays {
 public:
  // `layers`: the folder for the upper layers. Attributes of overlayfs are kept as trusted.* by the machine's root,
  // as user.* by everybody else.
  explicit Overlays(std::string layers);

  // `lower` as it is now, seen at `target` and written to elsewhere.
  Result<void> mount(const std::string& lower, const std::string& target, unsigned long flags,
                     UpperKind kind = UpperKind::disk, std::uint64_t memory_bytes = 0);

  bool has_user_attributes() const { return user_attributes_; }

 private:
  std::string layers_;
  bool user_attributes_;
  int count_ = 0;
};

// In a user namespace whoever has no number there shows as this one.
constexpr unsigned nobody = 65534;

// What lies at `from` with all that is mounted below it.
Result<void> mount_same(const std::string& from, const std::string& target);
// No file below the mount at `target` can be changed through it; devices can still be used.
Result<void> make_read_only(const std::string& target, unsigned long flags, bool with_those_below);

}  // namespace sigwhy::experiment
