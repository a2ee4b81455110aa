#include "diagnose/precedence.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "diagnose/guard_findings.h"
#include "diagnose/library_copies.h"

namespace sigwhy::diagnose {

namespace {

struct Better {
  Cause winner;
  std::initializer_list<Cause> losers;
};

using enum Cause;

const Better table[] = {
    {gil_not_held,
     {null_pointer, python_fatal_error, failed_check, heap_corruption, invalid_free, use_after_free, wild_pointer, out_of_bounds,
      uninitialised_read}},
    {stack_overflow,
     {null_pointer, out_of_bounds, wild_pointer, heap_corruption, use_after_free, uninitialised_read,
      write_to_read_only, bit_flip}},
    {invalid_free, {heap_corruption, null_pointer, out_of_bounds, wild_pointer, use_after_free, failed_check}},
    {heap_corruption,
     {null_pointer, out_of_bounds, wild_pointer, use_after_free, uninitialised_read, bit_flip, failed_check}},
    {use_after_free, {null_pointer, out_of_bounds, wild_pointer}},
    {null_pointer, {out_of_bounds, wild_pointer, bit_flip}},
    {out_of_bounds, {wild_pointer, write_to_read_only, failed_check, bit_flip}},
    {write_to_read_only, {wild_pointer}},
    {bad_jump, {null_pointer, wild_pointer, deliberate_trap, unsupported_instruction}},
    {stack_smashed, {failed_check}},
    {python_fatal_error, {failed_check}},
    {uncaught_cpp_exception, {failed_check}},
    {disk_full, {failed_check, uncaught_cpp_exception}},
    {protobuf_conflict, {failed_check, uncaught_cpp_exception}},
    {openmp_conflict, {failed_check}},
    {time_limit, {resource_limit}},
    {impossible_allocation, {out_of_memory_refused}},
    {gpu_out_of_memory, {out_of_memory_refused, impossible_allocation}},
    {protobuf_conflict, {abi_mismatch, mixed_libraries}},
    {mixed_libraries, {abi_mismatch}},
    {corrupt_input,
     {shape_mismatch, dtype_mismatch, ragged_batch, not_an_array, null_pointer, out_of_bounds, wild_pointer, bad_jump,
      heap_corruption, failed_check}},
    {file_contention, {resource_limit}},
    {abi_mismatch, {shape_mismatch, dtype_mismatch}},
    {ragged_batch, {not_an_array, dtype_mismatch, shape_mismatch}},
    {not_an_array, {dtype_mismatch, shape_mismatch}},
    {dtype_mismatch, {shape_mismatch}},
};

bool outranks(const Finding& winner, const Finding& loser) {
  return winner.explains != loser.cause && winner.strength >= std::min(loser.strength, Strength::strong);
}

// That an exception ended it is true of every one of them and says the least.
bool is_better(const Finding& winner, const Finding& loser) {
  if (loser.cause == python_exception && winner.cause != python_exception) return outranks(winner, loser);
  for (const auto& row : table)
    if (row.winner == winner.cause && std::ranges::count(row.losers, loser.cause) > 0) return outranks(winner, loser);
  return false;
}

// A leak is why memory ran out; where it did not, or where that is not sure, it explains nothing.
bool explains_nothing(const Finding& finding, const std::vector<Finding>& all) {
  if (finding.cause != memory_leak) return false;
  return std::ranges::none_of(all, [&](const Finding& end) {
    return finding.explains == end.cause && end.strength >= Strength::strong;
  });
}

bool by_guard(const Finding& finding) {
  return std::ranges::any_of(finding.evidence_for, [](const Fact& f) { return f.id == guard_fact; });
}

bool is_bad_access(Cause cause) {
  constexpr std::array all = {null_pointer, out_of_bounds, use_after_free, invalid_free, heap_corruption, wild_pointer, write_to_read_only,
                              uninitialised_read, bit_flip, bad_jump, stack_smashed, failed_check, deliberate_trap, mapped_file_truncated};
  return std::ranges::count(all, cause) > 0;
}

// What the guarded heap saw happen, against what the state left behind suggests.
bool saw_better(const Finding& winner, const Finding& loser) {
  return by_guard(winner) && !by_guard(loser) && winner.strength >= Strength::strong && is_bad_access(loser.cause) &&
         winner.explains != loser.cause;
}

}  // namespace

void drop_superseded(std::vector<Finding>& findings) {
  const auto all = findings;
  std::erase_if(findings, [&](const Finding& finding) { return explains_nothing(finding, all); });
  std::erase_if(findings, [&](const Finding& loser) {
    return std::ranges::any_of(all, [&](const Finding& winner) {
      return saw_better(winner, loser) || (is_better(winner, loser) && !saw_better(loser, winner));
    });
  });
}

void join_crossing_to_end(std::vector<Finding>& findings) {
  const auto crossed = std::ranges::find_if(findings, [](const Finding& finding) {
    return std::ranges::any_of(finding.evidence_for, [](const Fact& f) { return f.id == crossing_fact; });
  });
  if (crossed == findings.end() || crossed->explains) return;
  const Finding* end = nullptr;
  for (const auto& finding : findings)
    if (&finding != &*crossed && is_bad_access(finding.cause) && !finding.explains &&
        (!end || finding.strength > end->strength))
      end = &finding;
  if (end) crossed->explains = end->cause;
}

int depth_of(const Finding& finding, const std::vector<Finding>& all) {
  const Finding* at = &finding;
  for (int depth = 0; depth < 8; ++depth) {
    if (!at->explains) return depth;
    const auto above = std::ranges::find(all, *at->explains, &Finding::cause);
    if (above == all.end()) return depth;
    at = &*above;
  }
  return 0;  // findings that explain each other explain nothing
}

std::vector<Finding>::iterator verdict_of(std::vector<Finding>& findings) {
  auto best = findings.end();
  auto best_rank = std::tuple(false, 0, Strength::weak);
  for (auto at = findings.begin(); at != findings.end(); ++at) {
    const int depth = depth_of(*at, findings);
    const bool firm = at->strength >= Strength::strong;
    if (!firm && (depth > 0 || at->strength == Strength::weak)) continue;
    const auto rank = std::tuple(firm, depth, at->strength);
    if (best == findings.end() || rank > best_rank) best = at, best_rank = rank;
  }
  return best;
}

}  // namespace sigwhy::diagnose
