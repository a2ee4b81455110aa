#include "capture/develop.h"

#include <algorithm>

#include "capture/develop_process.h"
#include "native/exceptions.h"
#include "native/host.h"
#include "native/instruction.h"
#include "native/lines.h"
#include "native/modules.h"
#include "native/pointers.h"
#include "native/regions.h"
#include "native/source_text.h"
#include "native/symbols.h"
#include "native/texts.h"
#include "native/unwind.h"
#include "python/stacks.h"

namespace sigwhy::capture {

namespace {

// A case's JSON stays under a megabyte, whatever died.
constexpr std::size_t most_threads = 128;

void keep_fewer_threads(Snapshot& s) {
  if (s.threads.size() <= most_threads) return;
  s.gaps.push_back({std::to_string(s.threads.size() - most_threads) + " more threads",
                    "a case keeps the dying thread and 127 others", ""});
  s.threads.resize(most_threads);
}

// The file behind the address that could not be read decides between a truncated file and a full file system.
void look_at_files(const Target& target, Snapshot& s) {
  for (const Pointer& p : s.pointers)
    if (p.role == "fault" && p.region) native::look_at_file(target, s.regions[*p.region]);
}

}  // namespace

Snapshot develop(const Target& target) {
  Snapshot s;
  for (const RawGap& gap : target.gaps) s.gaps.push_back({gap.what, gap.why, gap.remedy});
  s.host = native::this_host();
  s.termination = termination_of(target);
  s.process = process_of(target);
  if (target.threads.empty()) return s;
  s.modules = native::modules_of(target);
  s.regions = native::regions_of(target);
  s.threads = native::unwind(target, s.modules, s.gaps);
  keep_fewer_threads(s);
  native::name_frames(target, s.modules, s.threads, s.gaps);
  native::add_lines(target, s.modules, s.threads, s.gaps);
  s.interpreters = python::add_python_frames(target, s.threads, s.gaps);
  native::add_source_text(target, s.modules, s.threads);
  s.fault = native::fault_of(target, s.host);
  s.pointers = native::pointers_that_matter(target, s.fault, s.regions);
  look_at_files(target, s);
  s.texts = native::texts_of(target);
  if (auto tail = native::stderr_tail(target)) s.texts.push_back(*tail);
  s.exceptions = native::exceptions_of(target);
  return s;
}

}  // namespace sigwhy::capture
