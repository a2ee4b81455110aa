// A write to memory that is mapped without the right to write: a string literal, a constant table, code, a file
// mapped for reading. A linear overrun can end there too, at the first byte of the region: that is out-of-bounds.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/array_phrases.h"
#include "diagnose/bounds.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

bool came_from_outside(const Facts& f, const MemoryFault& m) {
  if (!element_text(f).empty() && !f.array_access->promised) return false;
  const Region& r = f.snapshot.regions[*m.place.region];
  if (m.base && m.base->place.region && m.base->place.region != m.place.region) return true;
  const auto below = touching_below(f.snapshot, *m.place.region);
  return below && is_writable(f.snapshot.regions[*below]) &&
         static_cast<std::uint64_t>(m.address - r.start) < page_bytes;
}

void add_array(const Facts& f, Finding& out) {
  if (element_text(f).empty()) return;
  for (auto& fact : array_access_facts(f)) out.evidence_for.push_back(std::move(fact));
  const auto index = f.array_access->array;
  if (f.snapshot.arrays[index].writable == false)
    out.evidence_for.push_back(fact("flags", fmt::format("{} is marked read-only", f.arrays[index].name),
                                    {ref(array_ref(index).path + "/writable")}));
}

std::optional<Finding> check(const Facts& f) {
  if (f.signal != SIGSEGV || f.code != SEGV_ACCERR || !f.memory || !f.memory->writes() || f.stack_end)
    return std::nullopt;
  const MemoryFault& m = *f.memory;
  const Region* r = region_at(f, m.place);
  if (!r || is_writable(*r) || is_closed(*r) || r->kind == RegionKind::guard) return std::nullopt;
  const bool outside = came_from_outside(f, m);
  const bool of_file = r->kind == RegionKind::file || r->kind == RegionKind::shared_memory;
  const auto of_its_own = of_file && !outside ? Strength::proven : Strength::strong;
  const auto strength = outside && !is_meant(f) ? Strength::plausible : of_its_own;
  const auto where = of_file ? region_text(f, *m.place.region) : "memory that was made read-only";
  const auto element = element_text(f).empty() ? "" : fmt::format(" ({})", element_text(f));
  Finding out =
      finding(Cause::write_to_read_only, strength, fmt::format("{} {} to {}{}", subject(f), did(m), where, element));
  out.evidence_for.push_back(access_fact(f));
  add_array(f, out);
  out.evidence_for.push_back(fact("region", fmt::format("it is mapped without the right to write ({})", r->permissions),
                                  {region_ref(*m.place.region)}));
  if (strength != Strength::proven)
    out.rival = outside ? "a write past the end of the memory before it" : "a wrong pointer that leads there by chance";
  if (!of_file) out.fix.push_back("Write before the memory is protected, or to a copy of it.");
  else if (f.snapshot.regions[*m.place.region].kind == RegionKind::file && is_executable(*r))
    out.fix.push_back("Code cannot be written to: find out where the pointer comes from.");
  else
    out.fix.push_back(
        "Constants and files mapped for reading cannot be changed: write to a copy, or map the file for writing.");
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  return out;
}

}  // namespace

extern const Rule write_to_read_only{.title = "write to read-only memory", .check = check};

}  // namespace sigwhy::diagnose::rules
