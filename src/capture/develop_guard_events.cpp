#include "capture/develop_guard_events.h"

#include <fcntl.h>

#include <algorithm>
#include <cstring>

#include "native/lines.h"
#include "native/source_text.h"
#include "native/symbols.h"
#include "native/unwind.h"
#include "python/code_places.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_frames = 20;

// The dead process's memory, but for one stack: of that only the copy is of the right time.
class ThenMemory final : public Memory {
 public:
  explicit ThenMemory(const Target& now) : now_(now) {}

  void turn_to(const guard::Context& context) {
    context_ = &context;
    bytes_ = std::min<std::size_t>(context.stack_bytes, sizeof context.stack);
    const auto at = mapping_at(now_.mappings, Address{context.sp});
    stack_ = at ? &now_.mappings[*at] : nullptr;
  }

  std::size_t read(Address from, std::span<std::byte> into) const override {
    if (!context_) return 0;
    if (from.value >= context_->sp && from.value - context_->sp < bytes_) {
      const auto skip = from.value - context_->sp;
      const auto size = std::min<std::size_t>(into.size(), bytes_ - skip);
      std::memcpy(into.data(), context_->stack + skip, size);
      return size;
    }
    if (stack_ && stack_->contains(from)) return 0;
    return now_.memory->read(from, into);
  }

 private:
  const Target& now_;
  const guard::Context* context_ = nullptr;
  const Mapping* stack_ = nullptr;
  std::size_t bytes_ = 0;
};

// The return address minus one is the call, which is what tables and lines are looked up for.
RawThread as_thread(const guard::Context& c) {
  user_regs_struct r{};
  r.rip = c.pc - 1;
  r.rsp = c.sp;
  r.rbp = c.bp;
  r.rbx = c.bx;
  r.r12 = c.r12;
  r.r13 = c.r13;
  r.r14 = c.r14;
  r.r15 = c.r15;
  return {.tid = static_cast<pid_t>(c.tid), .inner_tid = static_cast<pid_t>(c.tid), .name = {}, .registers = r};
}

Target at_that_time(const Target& now) {
  Target then;
  then.pid = now.pid;
  then.memory = std::make_unique<ThenMemory>(now);
  then.mappings = now.mappings;
  then.started_unix_s = now.started_unix_s;
  then.files = now.files;
  if (now.root) then.root = OwnedFd(fcntl(now.root.get(), F_DUPFD_CLOEXEC, 10));
  return then;
}

void add_python(const python::CodePlaces& places, const guard::Context& c, Thread& thread) {
  const auto count = std::min<std::size_t>(c.python_count, guard::python_frames_kept);
  for (std::size_t i = 0; i < count; ++i)
    if (auto frame = places.at(Address{c.python[i].code}, c.python[i].instruction)) thread.python.push_back(std::move(*frame));
}

bool is_gone(const guard::Context& c, std::span<const guard::Unloaded> unloaded, Address pc) {
  return std::ranges::any_of(unloaded, [&](const guard::Unloaded& u) {
    return u.number >= c.unloaded_count && pc.value >= u.start && pc.value < u.end;
  });
}

void cut_at_gone(const guard::Context& c, std::span<const guard::Unloaded> unloaded, std::vector<Frame>& frames) {
  const auto gone = std::ranges::find_if(frames, [&](const Frame& f) { return is_gone(c, unloaded, f.pc); });
  if (gone == frames.end()) return;
  gone->module.reset();
  frames.erase(gone + 1, frames.end());
}

}  // namespace

std::map<std::uint64_t, Origins> origins_of(const Target& target, std::vector<Module>& modules,
                                            std::span<const guard::Context> contexts,
                                            std::span<const guard::Unloaded> unloaded) {
  if (contexts.empty()) return {};
  Target then = at_that_time(target);
  for (const auto& context : contexts) then.threads.push_back(as_thread(context));
  auto& memory = static_cast<ThenMemory&>(*then.memory);
  std::vector<Gap> ignored;  // of stacks that are cut on purpose
  auto threads = native::unwind(then, modules, ignored, [&](std::size_t i) { memory.turn_to(contexts[i]); });
  const python::CodePlaces places(target);
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    if (threads[i].frames.size() > most_frames) threads[i].frames.resize(most_frames);
    cut_at_gone(contexts[i], unloaded, threads[i].frames);
    add_python(places, contexts[i], threads[i]);
    threads[i].died = true;  // all their lines are of interest
  }
  native::name_frames(target, modules, threads, ignored);
  native::add_lines(target, modules, threads, ignored);
  std::vector<PyException> none;
  native::add_source_text(target, modules, threads, none);
  std::map<std::uint64_t, Origins> origins;
  for (std::size_t i = 0; i < contexts.size(); ++i)
    origins[contexts[i].id] = {std::move(threads[i].frames), std::move(threads[i].python)};
  return origins;
}

}  // namespace sigwhy::capture
