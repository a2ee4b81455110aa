// A library asked for memory on a GPU and was refused. Its message often tells the whole picture, and which fix fits
// depends on it: another process sits on the card, the request is larger than the card, a limit was set, memory lies in
// reserve in pieces, or this program's own tensors fill it.
#include <fmt/format.h>

#include "diagnose/array_error.h"
#include "diagnose/gpu_error.h"
#include "diagnose/gpu_memory.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

struct Refusal {
  std::size_t exception = 0;
  GpuMemory memory;
  GpuHolders names;
  bool handled = false;  // another error rose while this one was handled
  bool is_told = false;  // that it is the GPU's; else it follows from the GPU that was open
};

constexpr std::uint64_t little_bytes = 64ull << 20;

const std::optional<ToldSize>& own_use(const GpuMemory& m) { return m.allocated ? m.allocated : m.mine; }

// Views are told apart from what they view only on the CPU: a sum that cannot be is not said.
bool is_possible(const Refusal& r) {
  const auto& most = r.memory.mine ? r.memory.mine : r.memory.allocated ? r.memory.allocated : r.memory.capacity;
  return !most || r.names.bytes <= most->bytes;
}

// Most of it belongs to no name: it hangs on a graph, or in C++.
bool is_nameless(const Refusal& r) {
  const auto& use = own_use(r.memory);
  return use && use->bytes > little_bytes && r.names.bytes > 0 && r.names.bytes < use->bytes / 2;
}

bool is_worth_naming(const Refusal& r) {
  return r.names.largest && r.names.largest->bytes >= little_bytes && is_possible(r) && !is_nameless(r);
}

std::string holder_text(const GpuHolder& h) {
  if (h.count == 1) return fmt::format("`{}` holds {} there", h.name, bytes_text(h.bytes));
  return fmt::format("the {} tensors in `{}` hold {} there", count_text(h.count), h.name, bytes_text(h.bytes));
}

std::string request_text(const GpuMemory& m) {
  if (!m.asked) return "the GPU had no memory for a request whose size is not told";
  return fmt::format("the GPU had no room for {}{}", m.asked->text, m.what.empty() ? "" : ", " + m.what);
}

std::string claim_of(const Refusal& r) {
  const auto& m = r.memory;
  if (m.is_too_large())
    return fmt::format("{} were asked for at once, and the whole GPU has {}", m.asked->text, m.capacity->text);
  if (m.is_over_limit())
    return fmt::format("{} were asked for on the GPU, where this process may use {}", m.asked->text, m.limit->text);
  auto claim = request_text(m);
  if (m.free && m.capacity) claim += fmt::format(": {} of its {} were free", m.free->text, m.capacity->text);
  if (m.is_by_others())
    claim +=
        fmt::format("; {} are held outside this {}", bytes_text(m.elsewhere_bytes), m.mine ? "process" : "library");
  else if (m.is_in_pieces()) claim += fmt::format("; {} lie in reserve, in pieces too small", m.idle->text);
  else if (is_nameless(r))
    claim +=
        fmt::format("; of the {} it gave this process, names hold {}", own_use(m)->text, bytes_text(r.names.bytes));
  else if (is_worth_naming(r)) claim += "; " + holder_text(*r.names.largest);
  return claim;
}

void add_facts(const Facts& f, const Refusal& r, Finding& out) {
  const auto& m = r.memory;
  const auto at = ref(fmt::format("/python_exceptions/{}", r.exception));
  out.evidence_for.push_back(fact("exception",
                                  fmt::format("{} means that an allocation on the GPU was refused",
                                              class_name(f.snapshot.python_exceptions[r.exception].type)),
                                  {at}));
  if (m.mine || m.allocated)
    out.evidence_for.push_back(
        fact("own", fmt::format("this process had {} on the GPU", m.mine ? m.mine->text : m.allocated->text), {at}));
  if (m.elsewhere_bytes)
    out.evidence_for.push_back(
        fact("others", fmt::format("{} were neither free nor of those", bytes_text(m.elsewhere_bytes)), {at}));
  if (m.idle && m.idle->bytes)
    out.evidence_for.push_back(
        fact("reserve", fmt::format("{} were reserved by its library and given to nobody", m.idle->text), {at}));
  if (is_nameless(r) && r.names.numbers)
    out.evidence_for.push_back(fact("numbers",
                                    fmt::format("`{}` keeps {} results of one number each, as tensors",
                                                r.names.numbers->name, count_text(r.names.numbers->count)),
                                    r.names.numbers->evidence));
  if (is_worth_naming(r))
    out.evidence_for.push_back(fact("holder", holder_text(*r.names.largest), r.names.largest->evidence));
}

std::optional<std::string> rival_of(const Refusal& r) {
  const auto& m = r.memory;
  if (r.handled) return rival_error;
  if (!r.is_told) return "the host's memory: this library says the same of both";
  if (!m.asked) return "pinned memory of the host, which the same driver gives out and refuses";
  if (m.is_over_limit() || m.is_too_large() || m.is_without_room()) return std::nullopt;
  if (m.free) return "another process that held the memory at that moment and has given it back";
  return "a limit that the program set for its library, while the GPU has room";
}

std::string fix_of(const Refusal& r) {
  const auto& m = r.memory;
  if (m.is_too_large()) return "Ask for less at once: a smaller batch, a smaller dtype, or the work in parts.";
  if (m.is_over_limit()) return "Raise the limit that the program set for itself on this GPU, or ask for less.";
  if (m.is_by_others() && m.mine)
    return "End the other process on this GPU (nvidia-smi lists them), or use another one (CUDA_VISIBLE_DEVICES).";
  // older wordings tell only what their library holds: another one in this process may hold the rest
  if (m.is_by_others())
    return "See with nvidia-smi who holds it: another process, or another library in this one; end it, or use another "
           "GPU (CUDA_VISIBLE_DEVICES).";
  if (m.is_in_pieces())
    return "Have memory reserved in pieces that can grow (torch: PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True), or "
           "ask for it before the small pieces.";
  if (is_nameless(r) && r.names.numbers)
    return fmt::format(
        "Keep numbers in `{}` (loss.item()): a tensor that was not detached keeps all that its backward() "
        "needs.",
        r.names.numbers->name);
  if (is_worth_naming(r) && r.names.largest->count > 1)
    return fmt::format("Keep less in `{}`, or keep it on the CPU; a smaller batch only delays what grows.",
                       r.names.largest->name);
  return "Use a smaller batch, let go of tensors before this line, and record no gradients where nothing is trained.";
}

std::optional<Finding> check(const Facts& f) {
  const auto found = gpu_error(f, GpuError::memory);
  if (!found) return std::nullopt;
  const auto& e = f.snapshot.python_exceptions[*found];
  const Refusal r{*found, gpu_memory(e), gpu_holders(f), !ended_it(*f.failure, *found), names_gpu(e)};
  const auto rival = rival_of(r);
  Finding out = finding(Cause::gpu_out_of_memory, rival ? Strength::strong : Strength::proven, claim_of(r));
  add_facts(f, r, out);
  out.rival = rival;
  out.fix.push_back(fix_of(r));
  const bool others = r.memory.is_by_others() && r.memory.mine;
  out.whose = others ? Whose::somebody : whose_line(f);
  out.retryable = r.memory.is_too_large() || r.memory.is_over_limit() ? Retryable::no : Retryable::unknown;
  if (others) out.prediction = "on a GPU that no other process uses it does not die here";
  return out;
}

}  // namespace

extern const Rule gpu_out_of_memory{.title = "GPU out of memory", .check = check};

}  // namespace sigwhy::diagnose::rules
