// The spelling of every enumerator, as JSON, reports and tests use it. An enumerator that a newer sigwhy wrote
// and this one does not know reads as the enum's fallback: readers tolerate what they do not know.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "evidence/case.h"
#include "evidence/concern.h"

namespace sigwhy {

template <class E>
using NameTable = std::span<const std::pair<E, std::string_view>>;

NameTable<TerminationKind> names(TerminationKind);
NameTable<SenderRelation> names(SenderRelation);
NameTable<AwaitedThing> names(AwaitedThing);
NameTable<Origin> names(Origin);
NameTable<RegionKind> names(RegionKind);
NameTable<BlockState> names(BlockState);
NameTable<Trust> names(Trust);
NameTable<GilState> names(GilState);
NameTable<ArrayKind> names(ArrayKind);
NameTable<MemoryKind> names(MemoryKind);
NameTable<ExceptionLink> names(ExceptionLink);
NameTable<Access> names(Access);
NameTable<TextKind> names(TextKind);
NameTable<Cause> names(Cause);
NameTable<Strength> names(Strength);
NameTable<Whose> names(Whose);
NameTable<Retryable> names(Retryable);
NameTable<GuardMode> names(GuardMode);
NameTable<GuardStop> names(GuardStop);
NameTable<Settled> names(Settled);
NameTable<CameIn> names(CameIn);
NameTable<Soundness> names(Soundness);
NameTable<Severity> names(Severity);

template <class E>
std::string_view to_name(E value) {
  for (const auto& [candidate, name] : names(E{}))
    if (candidate == value) return name;
  return "unknown";
}

template <class E>
std::optional<E> from_name(std::string_view name) {
  for (const auto& [candidate, candidate_name] : names(E{}))
    if (candidate_name == name) return candidate;
  return std::nullopt;
}

}  // namespace sigwhy
