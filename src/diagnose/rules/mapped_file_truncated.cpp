// A mapping may be longer than its file: pages behind the end exist as addresses but not as data. Mostly the file
// was cut or rewritten in place by someone else after it was mapped.
#include <fmt/format.h>

#include "diagnose/array_phrases.h"
#include "diagnose/input_file.h"
#include "diagnose/mapped_file.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

std::optional<Finding> check(const Facts& f) {
  const auto a = file_access(f);
  if (!a || !a->behind_end) return std::nullopt;
  const Region& r = f.snapshot.regions[a->region];
  const auto name = one_line(file_name(r.path), 60);
  const auto what = element_text(f).empty() ? fmt::format("{} of {}", did(*f.memory), name)
                                            : fmt::format("{}, which lies in {}", array_access_text(f), name);
  Finding out = finding(Cause::mapped_file_truncated, Strength::proven,
                        fmt::format("{} {} at offset {}; the file has only {} bytes", subject(f), what,
                                    count_text(a->offset), count_text(a->file_bytes)));
  out.evidence_for.push_back(access_fact(f));
  for (auto& fact : array_access_facts(f)) out.evidence_for.push_back(std::move(fact));
  out.evidence_for.push_back(fact("file",
                                  fmt::format("{} is mapped, and has {} bytes now", name, count_text(a->file_bytes)),
                                  {ref(fmt::format("/regions/{}/file_bytes", a->region))}));
  out.evidence_for.push_back(fact("offset", fmt::format("the access was at offset {} of it", count_text(a->offset)),
                                  {ref("/fault/address"), region_ref(a->region)}));
  if (const auto input = input_at(f, r.path))
    if (const auto* writer = writer_of(f.snapshot.inputs[*input]))
      out.evidence_for.push_back(
          fact("writer", fmt::format("{} has it open for writing", holder_text(*writer)), {input_ref(*input)}));
  out.fix.push_back(fmt::format(
      "Find out who shortened or rewrote {} during the run: write a new file beside it and rename it over the old one.",
      name));
  out.fix.push_back("If nobody did, the mapping was made longer than the file.");
  out.whose = Whose::environment;
  out.retryable = Retryable::unknown;
  return out;
}

}  // namespace

extern const Rule mapped_file_truncated{.title = "mapped file truncated", .check = check};

}  // namespace sigwhy::diagnose::rules
