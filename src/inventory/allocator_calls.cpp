#include "inventory/allocator_calls.h"

#include <algorithm>

#include "native/heap_strangers.h"

namespace sigwhy::inventory {

namespace {

bool serves_all(const Surveyed& module) {
  return std::ranges::any_of(module.holds, [](const Held& held) { return held.copy.serves_all; });
}

}  // namespace

std::optional<Crossing> allocator_passed_by(const Snapshot& s, const Survey& survey) {
  const auto& order = survey.order;
  const auto dying = std::ranges::find_if(s.threads, &Thread::died);
  if (dying == s.threads.end() || order.global.empty()) return std::nullopt;
  const auto call = native::freeing_frame(dying->frames, s.modules);
  if (!call) return std::nullopt;
  const auto called = *dying->frames[*call].module, user = *dying->frames[*call + 1].module;
  for (const auto i : order.modules) {
    if (i == called) return std::nullopt;
    if (order.global[i] && serves_all(survey.modules[i]) && i != user)
      return Crossing{.symbol = dying->frames[*call].symbol.value_or("free"), .user = user, .bound_to = called, .expected = i};
  }
  return std::nullopt;
}

}  // namespace sigwhy::inventory
