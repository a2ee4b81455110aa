// Two copies of protobuf, or of one .proto file, in one process. libprotobuf checks for it at load time and says so
// before it aborts; only its own words are taken as evidence. In Python the same checks raise a TypeError or a
// VersionError; code from a newer protoc may also just import what the older runtime lacks.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <set>

#include "diagnose/array_error.h"
#include "diagnose/array_words.h"
#include "diagnose/function_names.h"
#include "diagnose/library_copies.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "evidence/own_code.h"

namespace sigwhy::diagnose::rules {

namespace {

const std::initializer_list<std::string_view> words_of_it = {
    "already exists in database",    "GeneratedDatabase()->Add",
    "generated_database_->Add",      "Protocol Buffer runtime library, which is not compatible",
    "This program requires version", "GOOGLE_PROTOBUF_VERIFY_VERSION",
    "Duplicate registration of",     "conflicts with the existing"};

constexpr const char* family = "protobuf";

void add_copies(const Facts& f, Finding& out) {
  for (const auto& copies : doubled_families(f.snapshot))
    if (copies.family == family)
      for (const auto i : copies.libraries) out.evidence_for.push_back(copy_fact(f.snapshot, i));
}

void add_advice(const Facts& f, std::uint64_t called, std::uint64_t expected, Finding& out) {
  add_copies(f, out);
  out.fix.push_back(
      "Use versions of the packages that share one protobuf, or that keep theirs to themselves (hidden symbols).");
  if (auto order = other_order_text(f.snapshot, called, expected)) out.fix.push_back(*order);
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  out.prediction = "without one of the two copies it does not die here";
}

// Code generated for one copy runs inside another: its objects are laid out otherwise there, or the type tables are not
// its own.
std::optional<Finding> by_crossing(const Facts& f) {
  if (!died_by_its_own_doing(f)) return std::nullopt;
  const auto call = crossed_call(f.snapshot, f.thread, family);
  if (!call) return std::nullopt;
  const bool differ = may_differ(f.snapshot, *call);
  const auto copies = fmt::format("code for {} {} in {}", copy_text(f.snapshot, call->expected),
                                  differ ? "ended" : "may have ended", copy_text(f.snapshot, call->called));
  Finding out = finding(Cause::protobuf_conflict, differ ? Strength::strong : Strength::plausible,
                        fmt::format("two copies of protobuf met: {}", copies));
  out.evidence_for.push_back(crossed_fact(f.snapshot, *call));
  out.rival = "a fault in that call that would also happen with one copy";
  add_advice(f, call->called, call->expected, out);
  return out;
}

// No call that crosses is left on the stack, but one may have returned to it.
std::optional<Finding> by_split(const Facts& f) {
  const auto split = died_by_its_own_doing(f) ? split_class(f.snapshot, f.thread, family) : std::nullopt;
  if (!split) return std::nullopt;
  const auto& crossing = f.snapshot.inventory->crossings[split->binding];
  Finding out = finding(Cause::protobuf_conflict, Strength::plausible,
                        fmt::format("two copies of protobuf may have met: functions of {} are called in {} and in {}",
                                    one_line(split->name, 80), copy_text(f.snapshot, split->called), copy_text(f.snapshot, split->expected)));
  out.evidence_for.push_back(fact(
      crossing_fact, fmt::format("{} calls {} and gets that of the other copy", module_text(f, split->frame), shown_name(crossing.symbol)),
      {frame_ref(f, split->frame), ref(fmt::format("/inventory/crossings/{}", split->binding))}));
  out.rival = "a fault that would also happen with one copy";
  add_advice(f, split->called, split->expected, out);
  return out;
}

bool holds_protobuf(const Snapshot& s, std::uint64_t module) {
  return s.inventory && std::ranges::any_of(s.inventory->libraries, [&](const Library& library) {
           return library.family == family && library.module == module;
         });
}

// Whose code asked, as a frame: generated code registers its types as soon as its file is loaded.
std::optional<std::size_t> asking_frame(const Facts& f) {
  if (!f.dying) return std::nullopt;
  const auto& frames = f.dying->frames;
  const auto own = std::ranges::find_if(frames, [&](const Frame& frame) {
    return frame.module && *frame.module < f.snapshot.modules.size() && holds_protobuf(f.snapshot, *frame.module);
  });
  for (auto frame = own; frame != frames.end(); ++frame) {
    const auto index = static_cast<std::size_t>(frame - frames.begin());
    if (!frame->module || holds_protobuf(f.snapshot, *frame->module) || is_runtime(f.frames[index].family)) continue;
    return index;
  }
  return std::nullopt;
}

std::string what_met(const Facts& f, std::string_view said) {
  const auto asking = asking_frame(f);
  const bool twice = has_any(said, {"already exists in database", "atabase()->Add", "atabase_->Add"});
  if (!asking || !twice) return "protobuf found a conflict";
  return fmt::format("{} brings message types that this process has registered already", module_text(f, *asking));
}

std::optional<Finding> by_abort(const Facts& f) {
  if (f.signal != SIGABRT) return std::nullopt;
  auto text = text_with(f, TextKind::protobuf_fatal, words_of_it);
  if (!text)
    text = text_with(f, TextKind::failed_check,
                     {"already exists in database", "GeneratedDatabase()->Add", "generated_database_->Add"});
  std::optional<std::size_t> exception;
  for (std::size_t i = 0; i < f.snapshot.exceptions.size() && !text; ++i)
    for (const auto word : words_of_it)
      if (f.snapshot.exceptions[i].type.find("google::protobuf") != std::string::npos &&
          f.snapshot.exceptions[i].what.value_or("").find(word) != std::string::npos)
        exception = i;
  if (!text && !exception) return std::nullopt;
  const auto said = one_line(text ? f.snapshot.texts[*text].text : *f.snapshot.exceptions[*exception].what, 140);
  Finding out = finding(Cause::protobuf_conflict, Strength::proven, fmt::format("{}: {}", what_met(f, said), said));
  out.evidence_for.push_back(
      fact("text", fmt::format("libprotobuf says: {}", said), {text ? text_ref(*text) : exception_ref(*exception)}));
  add_copies(f, out);
  if (const auto asking = asking_frame(f))
    out.evidence_for.push_back(
        frame_fact(f, *asking, fmt::format("the code that met it belongs to {}", module_text(f, *asking))));
  if (f.culprit)
    out.evidence_for.push_back(frame_fact(f, *f.culprit, fmt::format("it was found in {}", frame_text(f, *f.culprit))));
  out.fix.push_back(
      "Use versions of the packages that share one protobuf, or keep the two users of it in different processes.");
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  out.prediction = "without one of the two packages it does not die here";
  return out;
}

bool is_generated(const PythonFrame& frame) { return frame.file.ends_with("_pb2.py"); }

// A generated module asks the runtime for something that it does not have.
bool lacks_what_code_needs(const PyException& e) {
  if (!is_a(e, {"ImportError", "AttributeError", "TypeError"})) return false;
  const auto generated = std::ranges::find_if(e.traceback, is_generated);
  if (generated == e.traceback.end()) return false;
  const bool asks_runtime =
      has_any(generated->text.value_or(""), {"google.protobuf", "_builder", "_descriptor", "_runtime_version"}) ||
      has_any(e.message, {"google.protobuf"});
  const bool near = generated == e.traceback.begin() || generated->file.find("google/protobuf") == std::string::npos;
  return asks_runtime && near;
}

struct Words {
  std::string claim, fix;
};

// The folder that google.protobuf was imported from, by a path in the error or its traceback.
std::string imported_from(const PyException& e) {
  constexpr std::string_view package = "/google/protobuf/";
  const auto folder_in = [&](std::string_view text) {
    const auto end = text.find(package);
    const auto start = end == text.npos ? end : text.find_last_of(" ('\"", end);
    return end == text.npos ? std::string() : std::string(text.substr(start == text.npos ? 0 : start + 1, end - (start + 1)));
  };
  if (auto folder = folder_in(e.message); !folder.empty()) return folder;
  for (const auto& frame : e.traceback)
    if (auto folder = folder_in(frame.file); !folder.empty()) return folder;
  return {};
}

// The protobuf that ran, where it is not the installed one: sys.path or PYTHONPATH puts its folder in front.
std::optional<std::string> in_front(const Snapshot& s, const PyException& e) {
  const auto folder = imported_from(e);
  if (folder.empty()) return std::nullopt;
  bool elsewhere = is_own_file(folder + "/google/protobuf/__init__.py");
  if (s.inventory)
    for (const auto& package : s.inventory->packages) {
      if (package.name != family) continue;
      if (package.folder == folder) return std::nullopt;
      elsewhere = true;
    }
  return elsewhere ? std::optional(folder) : std::nullopt;
}

// "the installed protobuf 3.17.3"
std::string runtime_text(const Snapshot& s, const PyException& e) {
  if (const auto folder = in_front(s, e))
    return fmt::format("the protobuf that is found first, in {}", one_line(*folder, 80));
  std::set<std::string> versions;
  if (s.inventory)
    for (const auto& package : s.inventory->packages)
      if (package.name == family) versions.insert(package.version);
  return versions.size() == 1 ? "the installed protobuf " + *versions.begin() : "the protobuf that is installed";
}

std::string advice(const Snapshot& s, const PyException& e, const char* otherwise) {
  if (const auto folder = in_front(s, e))
    return fmt::format("Take {} off the search path (sys.path, PYTHONPATH), or put another protobuf there. Else: {}", *folder,
                       otherwise);
  return otherwise;
}

std::optional<Words> words_for(const Snapshot& s, const PyException& e) {
  constexpr const char* same_runtime = "Use versions of the packages that share one protobuf.";
  if (has_any(e.message, {"escriptors cannot be created directly", "escriptors cannot not be created directly"}))
    return Words{"generated code is older than " + runtime_text(s, e),
                 advice(s, e, "Install protobuf 3.20 or older, or generate the _pb2 modules again with a newer protoc.")};
  if (has_any(e.message,
              {"build proto file into descriptor pool", "onflict register for file", "duplicate file name"}) &&
      is_a(e, {"TypeError"}))
    return Words{"two definitions of one .proto file or message met in this process", same_runtime};
  if (e.type.find("protobuf.runtime_version.VersionError") != std::string::npos || lacks_what_code_needs(e))
    return Words{"generated code is newer than " + runtime_text(s, e),
                 advice(s, e, "Upgrade protobuf, or generate the _pb2 modules with the protoc of the installed version.")};
  return std::nullopt;
}

// Wherever it is installed: below PYTHONPATH it looks like the user's own code.
bool raised_by_protobuf(const PyException& e) {
  return !e.traceback.empty() && e.traceback.front().file.find("/google/protobuf/") != std::string::npos;
}

std::optional<Finding> by_python(const Facts& f) {
  const auto& e = root_of(f.snapshot, *f.failure);
  if (raised_by_user(f) && !raised_by_protobuf(e)) return std::nullopt;
  const auto words = words_for(f.snapshot, e);
  if (!words) return std::nullopt;
  const bool told = !is_a(e, {"ImportError", "AttributeError"});
  Finding out = finding(Cause::protobuf_conflict, told ? Strength::proven : Strength::strong,
                        fmt::format("{}: {}", words->claim, one_line(e.message, 110)));
  out.evidence_for.push_back(error_fact(f));
  for (std::size_t i = 0; i < e.traceback.size(); ++i)
    if (is_generated(e.traceback[i])) {
      out.evidence_for.push_back(
          fact("generated", fmt::format("{} is generated code", file_name(e.traceback[i].file)),
               {ref(fmt::format("/python_exceptions/{}/traceback/{}", f.failure->told.back(), i))}));
      break;
    }
  if (!told) out.rival = "an installation of protobuf that is damaged or shadowed by another module";
  out.fix.push_back(words->fix);
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (f.failure) return by_python(f);
  if (auto told = by_abort(f)) return told;
  auto crossed = by_crossing(f);
  return crossed ? crossed : by_split(f);
}

}  // namespace

extern const Rule protobuf_conflict{.title = "protobuf conflict", .check = check};

}  // namespace sigwhy::diagnose::rules
