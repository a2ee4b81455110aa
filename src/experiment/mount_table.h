// The mounts that a process sees, from /proc/self/mountinfo:
//
//   36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
//   id parent dev root point flags optional… - type source options of the file system
//
// Several may lie on one point, or below a folder that was mounted over later: only what a path leads to counts.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sigwhy::experiment {

struct Mount {
  int id = 0;
  std::string point;
  std::string type;
  std::string options;       // of the file system: "rw,size=65536k"
  bool read_only = false;    // this mount of it, or the file system itself
  unsigned long flags = 0;   // MS_NOSUID and its like, which a mount over it must repeat
};

std::vector<Mount> parse_mount_table(std::string_view text);

// Those that are really to be seen, parents before children; the root is the first.
std::vector<Mount> visible_mounts();

// "size=65536k" of a tmpfs in bytes; 0: not bounded.
std::uint64_t size_option(std::string_view options);

// Whether `path` lies in the folder `above` or is it.
bool lies_below(std::string_view path, std::string_view above);

}  // namespace sigwhy::experiment
