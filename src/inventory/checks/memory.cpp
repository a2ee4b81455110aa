// Is there memory for the imports alone? The least of what the machine has free and what each control group from ours
// outwards still allows, against what the big frameworks take before the first tensor. Measured as
// RssAnon after `python -c "import ..."` on x86-64 (mapped files can be dropped), rounded down to the least of several
// releases: TensorFlow 2.5 120 MiB, 2.16 198, 2.21 179; torch 1.12 83 MiB, 2.6 210.
#include <fmt/format.h>

#include <algorithm>

#include "inventory/check.h"
#include "target/kernel_text.h"
#include "target/control_groups.h"

namespace sigwhy::inventory::checks {

namespace {

constexpr std::int64_t mebibyte = 1 << 20;

struct Room {
  std::int64_t bytes = 0;
  std::string said;  // by whom
};

struct Use {
  const char* module;
  std::int64_t bytes;
};
constexpr Use uses[] = {{"tensorflow", 120 * mebibyte}, {"torch", 80 * mebibyte}};

// Files that the kernel can drop count as free.
std::optional<Room> room_of_group(const GroupPlace& place) {
  const bool second = place.version == 2;
  const auto limit = read_text(place.folder + (second ? "/memory.max" : "/memory.limit_in_bytes"), 64);
  const auto used = read_text(place.folder + (second ? "/memory.current" : "/memory.usage_in_bytes"), 64);
  const auto parts = read_text(place.folder + "/memory.stat", 64 << 10);
  if (!limit || !used || number_at(*limit) < 0 || number_at(*limit) > (1ll << 50)) return std::nullopt;
  const auto droppable = parts ? std::max<std::int64_t>(0, number_behind(*parts, second ? "inactive_file " : "total_inactive_file ")) : 0;
  return Room{number_at(*limit) - number_at(*used) + droppable, fmt::format("the control group {} has a limit of {} MiB", place.path, number_at(*limit) / mebibyte)};
}

std::optional<Room> least_room(const Prospect& p) {
  std::optional<Room> least;
  const auto machine = read_text(p.proc + "/meminfo", 64 << 10);
  const auto kib = machine ? number_behind(*machine, "MemAvailable:") : -1;
  const auto swap_kib = machine ? std::max<std::int64_t>(0, number_behind(*machine, "SwapFree:")) : 0;
  if (kib >= 0) least = Room{(kib + swap_kib) * 1024, fmt::format("this machine has {} MiB of memory", p.host.memory_bytes / mebibyte)};
  for (const auto& place : group_places(group_line_of(0, "memory"), "memory"))
    if (auto room = room_of_group(place); room && (!least || room->bytes < least->bytes)) least = std::move(room);
  return least;
}

void look(const Prospect& p, std::vector<Concern>& concerns) {
  const auto room = least_room(p);
  if (!room) return;
  std::int64_t wanted = 32 * mebibyte;
  std::string who = "Python";
  for (const auto& use : uses)
    if (p.imports_module(use.module) && use.bytes > wanted) {
      wanted = use.bytes;
      who = std::string("importing ") + use.module;
    }
  if (room->bytes >= wanted) return;
  concerns.push_back({.cause = Cause::out_of_memory_killed,
                      .severity = Severity::may_end,
                      .claim = fmt::format("{} MiB of memory are left, {} alone takes more", std::max<std::int64_t>(0, room->bytes / mebibyte), who),
                      .because = {room->said, fmt::format("{} takes {} MiB at least", who, wanted / mebibyte)},
                      .fix = {"end other programs, or give the container more memory"}});
}

}  // namespace

extern const Check memory;
const Check memory = {.order = 6, .look = look};

}  // namespace sigwhy::inventory::checks
