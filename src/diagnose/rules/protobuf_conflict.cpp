// Two copies of protobuf, or of one .proto file, in one process. libprotobuf checks for it at load time and says so
// before it aborts; only its own words are taken as evidence. In Python the same checks raise a TypeError or a
// VersionError; code from a newer protoc may also just import what the older runtime lacks.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/array_error.h"
#include "diagnose/array_words.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

const std::initializer_list<std::string_view> words_of_it = {
    "already exists in database",    "GeneratedDatabase()->Add",
    "generated_database_->Add",      "Protocol Buffer runtime library, which is not compatible",
    "This program requires version", "GOOGLE_PROTOBUF_VERIFY_VERSION",
    "Duplicate registration of",     "conflicts with the existing"};

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
  Finding out = finding(Cause::protobuf_conflict, Strength::proven, fmt::format("protobuf found a conflict: {}", said));
  out.evidence_for.push_back(
      fact("text", fmt::format("libprotobuf says: {}", said), {text ? text_ref(*text) : exception_ref(*exception)}));
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
  const char* claim;
  const char* fix;
};

std::optional<Words> words_for(const PyException& e) {
  constexpr const char* same_runtime = "Use versions of the packages that share one protobuf.";
  if (has_any(e.message, {"escriptors cannot be created directly", "escriptors cannot not be created directly"}))
    return Words{"generated code is older than the protobuf that is installed",
                 "Install protobuf 3.20 or older, or generate the _pb2 modules again with a newer protoc."};
  if (has_any(e.message,
              {"build proto file into descriptor pool", "onflict register for file", "duplicate file name"}) &&
      is_a(e, {"TypeError"}))
    return Words{"two definitions of one .proto file or message met in this process", same_runtime};
  if (e.type.find("protobuf.runtime_version.VersionError") != std::string::npos || lacks_what_code_needs(e))
    return Words{"generated code is newer than the protobuf that is installed",
                 "Upgrade protobuf, or generate the _pb2 modules with the protoc of the installed version."};
  return std::nullopt;
}

std::optional<Finding> by_python(const Facts& f) {
  if (raised_by_user(f)) return std::nullopt;
  const auto& e = root_of(f.snapshot, *f.failure);
  const auto words = words_for(e);
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

std::optional<Finding> check(const Facts& f) { return f.failure ? by_python(f) : by_abort(f); }

}  // namespace

extern const Rule protobuf_conflict{.title = "protobuf conflict", .check = check};

}  // namespace sigwhy::diagnose::rules
