// Memory that nothing will ever give back: it rises steadily with the work done, and what it is held by grows with it.
// A climb alone is no leak: data being loaded, a result being gathered and a cache that fills climb too. So a leak is
// strong only where the climb and one holder tell the same story, and the rival is a buffer meant to be that large.
// It explains an end and is none by itself (precedence.cpp).
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/array_words.h"
#include "diagnose/memory_growth.h"
#include "diagnose/memory_holders.h"
#include "diagnose/native_sites.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

constexpr std::uint64_t fewest_arrays = 8;
constexpr std::uint64_t many_alike = 16;
constexpr std::uint64_t fewest_traces = 16;
constexpr std::uint64_t fewest_objects = 10'000;
constexpr double least_share = 0.6, most_share = 1.7;  // of the rise, that one holder may hold to explain it

constexpr double least_of_several = 0.1;  // where several grow side by side, of each
constexpr double most_given_back = 0.5;  // of the rise, before it: what was freed once may be freed again

struct Leak {
  const Facts& f;
  const MemoryUse& use;
  const MemoryCurve& curve;
  const Climb& climb;
};

double share(const Leak& l, std::uint64_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(1, l.climb.rise_bytes));
}

bool explains_rise(const Leak& l, std::uint64_t bytes) {
  return share(l, bytes) >= least_share && share(l, bytes) <= most_share;
}

Fact climb_fact(const Leak& l) {
  std::vector<EvidenceRef> refs{ref(l.curve.path)};
  if (l.climb.step) refs.push_back(ref(l.climb.step->path));
  return fact("climb",
              fmt::format("memory grew {}, {} in all, from {} on", speed_text(l.climb), bytes_text(l.climb.rise_bytes),
                          time_text(l.climb.trend.from)),
              std::move(refs));
}

Finding leak(const Leak& l, Strength strength, std::string claim) {
  Finding out = finding(Cause::memory_leak, strength, claim);
  const auto end = l.f.snapshot.termination.kind;
  out.explains = l.f.signal == SIGKILL || end == TerminationKind::killed_for_memory || end == TerminationKind::lost
                     ? Cause::out_of_memory_killed
                     : Cause::out_of_memory_refused;
  out.evidence_for.push_back(climb_fact(l));
  out.retryable = Retryable::no;
  out.prediction = "with twice the memory it lives about twice as long";
  return out;
}

// ---- a container that keeps arrays

// Where its type could not be read any more, a line that puts one thing after the other into it tells as much.
bool can_leak(const MemoryUse& use, const MemoryHolder& h) {
  const auto* line = h.type.empty() ? adding_line(use, h.name) : nullptr;
  return h.count >= fewest_arrays && (is_container(h.type) || (line && line->repeats)) && !is_library_local(h) &&
         !h.capacity;
}

std::string named(const MemoryHolder& h) {
  return h.type.empty() ? fmt::format("`{}`", h.name) : fmt::format("{} `{}`", class_name(h.type), h.name);
}

std::optional<std::size_t> growing_holder(const Leak& l) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < l.use.holders.size(); ++i) {
    const MemoryHolder& h = l.use.holders[i];
    if (can_leak(l.use, h) && explains_rise(l, h.bytes) && (!best || h.bytes > l.use.holders[*best].bytes)) best = i;
  }
  return best;
}

// A list of weights is what a model is made of, unless it goes on growing as the program counts.
bool may_be_meant(const Leak& l, const MemoryHolder& h) {
  const auto* line = adding_line(l.use, h.name);
  if (line ? reads_files(*line) || !line->repeats || line->only_fills : stood_reading(l.f)) return true;
  if (!line && !l.climb.on_a_line) return true;
  if (l.climb.slows_down && !l.climb.step) return true;
  if (share(l, l.climb.fell_bytes) > most_given_back) return true;
  return holds_weights(h) && !l.climb.step;
}

std::string smaller_batch(const Leak& l, const MemoryHolder& h) {
  const ElementGroup& e = h.elements.front();
  const bool rows = e.shape && e.shape->size() > 1 && e.shape->front() > 1;
  for (const auto& array : l.f.snapshot.arrays)
    if (rows && array.shape.size() > 1 && array.shape.front() == e.shape->front() && array.shape != *e.shape)
      return fmt::format("A smaller batch will not help: it fills after the same {} rows.",
                         count_text(e.count * static_cast<std::uint64_t>(e.shape->front())));
  return {};
}

void add_holder_fix(const Leak& l, const MemoryHolder& h, Finding& out) {
  if (h.keeps_graph)
    out.fix.push_back(fmt::format("Let `{}` keep no graph: .detach() what goes into it (.item() for a single number), or "
                                  "compute it under torch.no_grad().", h.name));
  else
    out.fix.push_back(fmt::format("Let nothing keep these arrays after their step: clear `{}` where it has been used, or "
                                  "keep a number instead.", h.name));
  const auto words = h.elements.empty() ? std::string() : smaller_batch(l, h);
  if (!words.empty()) out.fix.push_back(words);
}

std::optional<Finding> by_holder(const Leak& l) {
  const auto index = growing_holder(l);
  if (!index) return std::nullopt;
  const MemoryHolder& h = l.use.holders[*index];
  const bool sure = !may_be_meant(l, h);
  const auto* line = adding_line(l.use, h.name);
  const auto at = line ? ", added at " + adding_text(*line) : std::string();
  Finding out = leak(l, sure ? Strength::strong : Strength::plausible,
                     fmt::format("{} {} growing: it holds {}{}", named(h),
                                 sure ? "keeps" : "may be meant to hold all of it or may keep", holds_text(h), at));
  out.evidence_for.push_back(fact("holder",
                                  fmt::format("`{}` holds {}; memory grew by {}", h.name, bytes_text(h.bytes),
                                              bytes_text(l.climb.rise_bytes)),
                                  {holder_ref(*index)}));
  if (line)
    out.evidence_for.push_back(fact("adds", fmt::format("{} adds to it: {}", adding_text(*line), one_line(line->text, 60)),
                                    {adding_ref(l.use, *line)}));
  out.rival = "a buffer meant to be this large (it never shrank)";
  add_holder_fix(l, h, out);
  out.whose = h.own_code ? Whose::your_code : Whose::framework;
  return out;
}

// ---- several that grow side by side

std::vector<std::size_t> growing_together(const Leak& l) {
  std::vector<std::size_t> found;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < l.use.holders.size(); ++i) {
    const MemoryHolder& h = l.use.holders[i];
    const auto* line = adding_line(l.use, h.name);
    if (!can_leak(l.use, h) || share(l, h.bytes) < least_of_several || !line || !line->repeats) continue;
    found.push_back(i);
    sum += h.bytes;
  }
  return found.size() > 1 && explains_rise(l, sum) ? found : std::vector<std::size_t>();
}

std::optional<Finding> by_several(const Leak& l) {
  const auto several = growing_together(l);
  if (several.empty()) return std::nullopt;
  bool sure = true;
  std::vector<std::string> names, places;
  for (const auto i : several) {
    const MemoryHolder& h = l.use.holders[i];
    sure &= !may_be_meant(l, h);
    names.push_back(fmt::format("`{}`", h.name));
    const auto place = adding_text(*adding_line(l.use, h.name));
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
  }
  Finding out = leak(l, sure ? Strength::strong : Strength::plausible,
                     fmt::format("{} {} growing together, added at {}", list_text(names), sure ? "keep" : "may keep",
                                 list_text(places)));
  for (const auto i : several) {
    const MemoryHolder& h = l.use.holders[i];
    out.evidence_for.push_back(fact("holder", fmt::format("`{}` holds {}: {}", h.name, holds_text(h), bytes_text(h.bytes)),
                                    {holder_ref(i), adding_ref(l.use, *adding_line(l.use, h.name))}));
  }
  out.rival = "buffers meant to be this large (they never shrank)";
  out.fix.push_back(fmt::format("Let nothing keep these arrays after their step: clear {} where they have been used, or "
                                "keep numbers instead.", list_text(names)));
  out.whose = l.use.holders[several.front()].own_code ? Whose::your_code : Whose::framework;
  return out;
}

// ---- graphs kept by a number

bool only_keeps_graph(const Leak& l, const MemoryHolder& h) {
  return h.keeps_graph && h.own_code && share(l, h.bytes) < 0.2;
}

std::optional<Finding> by_graph(const Leak& l) {
  if (share(l, part_bytes(l.use, MemoryKind::arrays)) > least_share) return std::nullopt;
  for (std::size_t i = 0; i < l.use.holders.size(); ++i) {
    const MemoryHolder& h = l.use.holders[i];
    if (!only_keeps_graph(l, h)) continue;
    const auto* line = adding_line(l.use, h.name);
    const bool gathers = (is_container(h.type) && h.count >= fewest_arrays) || (line && line->repeats);
    if (!gathers) continue;
    Finding out = leak(l, Strength::strong,
                       fmt::format("`{}` is made of tensors that keep the graph of every step{}", h.name,
                                   line ? fmt::format(", {} at {}", one_line(line->text, 50), adding_text(*line)) : ""));
    out.evidence_for.push_back(fact("graph",
                                    fmt::format("`{}` has a gradient function: it keeps all that it was computed from; "
                                                "its own arrays are {}", h.name, bytes_text(h.bytes)),
                                    {holder_ref(i)}));
    if (line) out.evidence_for.push_back(fact("adds", "the line adds each step's tensor to it", {adding_ref(l.use, *line)}));
    out.rival = "memory that native code does not give back";
    out.fix.push_back(fmt::format("Let `{}` keep no graph: .detach() what goes into it (.item() for a single number), or "
                                  "compute it under torch.no_grad().", h.name));
    out.whose = Whose::your_code;
    return out;
  }
  return std::nullopt;
}

// ---- a function traced anew at every call

bool stood_tracing(const Facts& f) {
  const auto thread = python_thread(f);
  if (!thread) return false;
  for (const auto& frame : f.snapshot.threads[*thread].python)
    if (has_any(frame.function, {"trace_function", "func_graph_from_py_func", "concrete_function", "maybe_trace"}) &&
        frame.file.find("/tensorflow/") != std::string::npos)
      return true;
  return false;
}

bool counts_steps(const Leak& l, std::uint64_t count) {
  if (!l.climb.step) return false;
  const double steps = l.climb.step->trend.to, found = static_cast<double>(count);
  return steps > 0 && found > 0.5 * steps && found < 2.5 * steps;
}

// A tf.function keeps its traces in a cache of its own: `decay._function_cache`.
struct Traced {
  std::string name;
  std::optional<std::string> at;
  std::size_t holder = 0;
};

std::optional<Traced> traced_function(const Leak& l) {
  for (std::size_t i = 0; i < l.use.holders.size(); ++i) {
    const MemoryHolder& h = l.use.holders[i];
    const auto dot = h.name.find("._function_cache");
    if (dot == std::string::npos || dot == 0 || h.objects == 0) continue;
    Traced found{h.name.substr(0, dot), {}, i};
    if (h.own_code && h.file && h.line) found.at = fmt::format("{}:{}", file_name(*h.file), *h.line);
    return found;
  }
  return std::nullopt;
}

// What is being traced is the user's code too: the call is the frame outside all of TensorFlow's.
std::optional<std::string> own_call(const Facts& f) {
  const auto thread = python_thread(f);
  if (!thread) return std::nullopt;
  const auto& frames = f.snapshot.threads[*thread].python;
  for (std::size_t i = frames.size(); i-- > 1;) {
    const bool calls = frames[i - 1].file.find("/tensorflow/") != std::string::npos;
    if (calls && frames[i].line) return fmt::format("{}:{}", file_name(frames[i].file), *frames[i].line);
  }
  return std::nullopt;
}

std::optional<Finding> by_retracing(const Leak& l) {
  const auto graphs = type_index(l.use, "FuncGraph"), functions = type_index(l.use, "ConcreteFunction");
  const auto index = functions ? functions : graphs;
  if (!index || l.use.types[*index].count < fewest_traces) return std::nullopt;
  const auto count = l.use.types[*index].count;
  const auto cache = traced_function(l);
  const bool sure = stood_tracing(l.f) || counts_steps(l, count) || cache;
  const auto call = cache && cache->at ? cache->at : own_call(l.f);
  Finding out = leak(l, sure ? Strength::strong : Strength::plausible,
                     fmt::format("{} {} traced anew for every call{}: {} graphs are kept",
                                 cache ? fmt::format("tf.function `{}`", cache->name) : "a tf.function",
                                 sure ? "is" : "may be", call ? " at " + *call : "", count_text(count)));
  if (cache)
    out.evidence_for.push_back(fact("cache", fmt::format("`{}` keeps a graph for every kind of call it has seen", cache->name),
                                    {holder_ref(cache->holder)}));
  out.evidence_for.push_back(
      fact("traces", fmt::format("{} {} objects are alive, about {} of growth each", count_text(count),
                                 class_name(l.use.types[*index].type), bytes_text(l.climb.rise_bytes / count)),
           {ref(fmt::format("/memory_use/types/{}", *index))}));
  out.rival = "many functions that were made on purpose, and native code that does not give memory back";
  out.fix.push_back("Pass what changes as a tensor (tf.constant(x)), not as a Python number, and make the tf.function once: "
                    "each new Python value is a new trace.");
  out.fix.push_back("A smaller batch will not help: the graphs are kept, whatever runs through them.");
  out.whose = Whose::your_code;
  return out;
}

// ---- Python objects without arrays

std::optional<std::size_t> longest_container(const Leak& l) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < l.use.holders.size(); ++i) {
    const MemoryHolder& h = l.use.holders[i];
    if (!is_container(h.type) || is_library_local(h) || h.capacity || h.objects < fewest_objects) continue;
    if (!best || h.object_bytes > l.use.holders[*best].object_bytes) best = i;
  }
  return best;
}

std::optional<Finding> by_objects(const Leak& l) {
  const auto part = part_index(l.use, MemoryKind::python_objects);
  const auto index = longest_container(l);
  if (!part || !index || !explains_rise(l, l.use.parts[*part].bytes)) return std::nullopt;
  const MemoryHolder& h = l.use.holders[*index];
  const auto* line = adding_line(l.use, h.name);
  // Of very many objects only some were looked at.
  const bool most = h.object_bytes * 2 >= l.use.parts[*part].bytes || h.objects * 2 >= l.use.objects_seen;
  const bool meant = may_be_meant(l, h) || !line || stood_reading(l.f) || !most;
  Finding out = leak(l, meant ? Strength::plausible : Strength::strong,
                     fmt::format("{} `{}` {} growing: it holds {} objects{}", class_name(h.type), h.name,
                                 meant ? "may keep" : "keeps", count_text(h.length.value_or(h.objects)),
                                 line ? ", added at " + adding_text(*line) : ""));
  out.evidence_for.push_back(fact("objects",
                                  fmt::format("Python objects take {}; memory grew by {}",
                                              bytes_text(l.use.parts[*part].bytes), bytes_text(l.climb.rise_bytes)),
                                  {ref(fmt::format("/memory_use/parts/{}", *part)), holder_ref(*index)}));
  out.rival = "a collection meant to be this large (it never shrank)";
  out.fix.push_back(fmt::format("Write the entries of `{}` out as you go, or keep only the newest.", h.name));
  out.whose = h.own_code ? Whose::your_code : Whose::framework;
  return out;
}

// ---- nobody in Python holds it

// As for what Python holds: a line that runs again and again beside other work, and memory that rises with the program's
// own count. Without the count one call may have made it all, and be at work still.
bool sure_of_site(const Leak& l, const NativeSite& site) {
  const auto& line = l.f.snapshot.guarded_heap->sites[site.index].line;
  if (!line || !line->repeats || line->only_fills || reads_files(*line) || !l.climb.step) return false;
  return site.recorded >= fewest_arrays && explains_rise(l, site.bytes) && share(l, l.climb.fell_bytes) <= most_given_back;
}

std::string native_claim(const Leak& l, const std::optional<NativeSite>& site, bool sure) {
  if (sure) return fmt::format("about {} are never given back, allocated by {}", bytes_text(site->bytes), site->place);
  const auto growth = fmt::format("{} of growth are held by no Python name", bytes_text(l.climb.rise_bytes));
  if (site && share(l, site->bytes) >= least_share) return fmt::format("native code may leak: {}; most of it is allocated by {}", growth, site->place);
  return fmt::format("native code may leak, or objects may keep each other: {} that was found", growth);
}

std::string native_fix(const Leak& l, const std::optional<NativeSite>& site, bool sure) {
  if (sure) return fmt::format("Free it when it is no longer used: what is allocated by {}.", site->place);
  if (site && share(l, site->bytes) >= least_share)
    return fmt::format("See whether it is freed when it is no longer used: what is allocated by {}.", site->place);
  const auto& heap = l.f.snapshot.guarded_heap;
  const char* const guard = !heap ? "with --guard, or " : heap->mode == GuardMode::sampled ? "with --guard=all, or " : "";
  return fmt::format("See whether gc.collect() frees it: then it is Python's. Else run a few steps {}under a heap profiler (memray --native, "
                     "heaptrack): it names the allocating call.", guard);
}

std::optional<Finding> by_native(const Leak& l) {
  const auto named = part_bytes(l.use, MemoryKind::arrays) + part_bytes(l.use, MemoryKind::python_objects);
  if (share(l, named) > 0.5 || stood_reading(l.f)) return std::nullopt;
  const auto native = part_bytes(l.use, MemoryKind::heap_in_use) + part_bytes(l.use, MemoryKind::unnamed_arrays);
  if (share(l, native) < least_share) return std::nullopt;
  const auto site = largest_site(l.f);
  const bool sure = site && sure_of_site(l, *site);
  if (!sure && !goes_on(l.curve)) return std::nullopt;
  Finding out = leak(l, sure ? Strength::strong : Strength::plausible, native_claim(l, site, sure));
  if (site) out.evidence_for.push_back(site_fact(*site));
  std::vector<EvidenceRef> refs;
  for (const auto kind : {MemoryKind::heap_in_use, MemoryKind::unnamed_arrays})
    if (const auto part = part_index(l.use, kind)) refs.push_back(ref(fmt::format("/memory_use/parts/{}", *part)));
  out.evidence_for.push_back(
      fact("native", fmt::format("{} are in use on the C heap or in arrays without a name", bytes_text(native)),
           std::move(refs)));
  out.rival = "work in progress that is kept until it is done (a text or buffer that is being made longer)";
  out.fix.push_back(native_fix(l, site, sure));
  return out;
}

// So fast that the readings hardly saw it: then the many alike things must tell by themselves, and the line that adds
// them again and again.
std::optional<Finding> by_fast_holder(const Leak& l) {
  const auto index = growing_holder(l);
  if (!index) return std::nullopt;
  const MemoryHolder& h = l.use.holders[*index];
  const bool many = !h.elements.empty() && h.elements.front().count >= many_alike;
  return many && h.own_code && adding_line(l.use, h.name) && !may_be_meant(l, h) ? by_holder(l) : std::nullopt;
}

std::optional<Finding> check(const Facts& f) {
  const auto curve = memory_curve(f);
  if (!curve || curve->of_group || !f.snapshot.memory_use) return std::nullopt;
  if (!curve->climb) return curve->short_climb ? by_fast_holder({f, *f.snapshot.memory_use, *curve, *curve->short_climb}) : std::nullopt;
  const Leak l{f, *f.snapshot.memory_use, *curve, *curve->climb};
  for (const auto way : {by_holder, by_several, by_graph, by_retracing, by_objects, by_native})
    if (auto found = way(l)) return found;
  return std::nullopt;
}

}  // namespace

extern const Rule memory_leak{.title = "memory leak", .check = check};

}  // namespace sigwhy::diagnose::rules
