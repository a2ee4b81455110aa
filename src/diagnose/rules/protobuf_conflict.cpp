// Two copies of protobuf, or of one .proto file, in one process. libprotobuf checks for it at load time and says so
// before it aborts; only its own words are taken as evidence.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

const std::initializer_list<std::string_view> words_of_it = {
    "already exists in database",    "GeneratedDatabase()->Add",
    "generated_database_->Add",      "Protocol Buffer runtime library, which is not compatible",
    "This program requires version", "GOOGLE_PROTOBUF_VERIFY_VERSION",
    "Duplicate registration of",     "conflicts with the existing"};

std::optional<Finding> check(const Facts& f) {
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

}  // namespace

extern const Rule protobuf_conflict{.title = "protobuf conflict", .check = check};

}  // namespace sigwhy::diagnose::rules
