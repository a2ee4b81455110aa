// Rules of the report that hold whatever the case: what is said, what is not.
#include "report/view.h"

#include <gtest/gtest.h>

#include "../../golden/samples.h"
#include "evidence/redact.h"
#include "report/format.h"
#include "report/listing.h"
#include "report/render.h"

namespace sigwhy::report {

static const Section* section(const View& view, std::string_view title) {
  for (const auto& s : view.sections)
    if (s.title == title) return &s;
  return nullptr;
}

TEST(View, NothingFillsASection) {
  Case c;
  const auto view = make_view(c);
  EXPECT_TRUE(view.sections.empty());
  EXPECT_TRUE(view.places.empty());
  ASSERT_EQ(view.verdicts.size(), 1u);
  EXPECT_EQ(view.verdicts[0].strength, "UNKNOWN");
  for (const Format* format : all_formats()) EXPECT_FALSE(format->render(make_view(c, format->detail), {}).empty());
}

TEST(View, BelowStrongItSaysMayOnce) {
  EXPECT_EQ(make_view(samples::plausible()).verdicts[0].claim, "may be so: solve() used a block that was freed before");
  auto c = samples::plausible();
  c.diagnosis.findings[0].claim = "solve() may have used a freed block";
  EXPECT_EQ(make_view(c).verdicts[0].claim, "solve() may have used a freed block");
}

TEST(View, ProvenNeedsNoRivalAndNoGaps) {
  auto c = samples::strong();
  c.diagnosis.findings[0].strength = Strength::proven;
  const auto view = make_view(c);
  EXPECT_EQ(section(view, "Not seen"), nullptr);
  for (const auto& row : section(view, "Why")->rows) EXPECT_FALSE(row.cells[0].starts_with("Rival"));
}

TEST(View, AtMostThreeGapsTheNearestFirst) {
  auto c = samples::unknown();
  c.snapshot.gaps = {
      {"a", "", ""}, {"b", "", ""}, {"who owned that address", "the heap keeps no history", ""}, {"c", "", ""}};
  const auto view = make_view(c);
  ASSERT_EQ(section(view, "Not seen")->rows.size(), 3u);
  EXPECT_EQ(section(view, "Not seen")->rows[0].cells[0], "who owned that address: the heap keeps no history.");
}

TEST(View, FindingsThatExplainEachOtherInACircleEnd) {
  auto c = samples::chain();
  c.diagnosis.findings[1].explains = Cause::memory_leak;
  EXPECT_EQ(make_view(c).verdicts.size(), 2u);
}

TEST(View, IndicesOfAForeignFileAreNotTrusted) {
  auto c = samples::strong();
  c.snapshot.threads[0].frames[0].module = 99;
  c.snapshot.pointers[0].region = 99;
  c.snapshot.pointers[0].behind = Distance{~0ull, 8};
  c.snapshot.fault->thread = 99;
  c.snapshot.threads[0].died = false;
  for (const Format* format : all_formats()) EXPECT_FALSE(format->render(make_view(c, format->detail), {}).empty());
}

TEST(View, NoHexAddressOutsideOfFull) {
  for (const auto& c : {samples::strong(), samples::recursion(), samples::worker()}) {
    const auto text = *render(c, "terminal", {});
    EXPECT_EQ(text.find("0x7f"), std::string::npos) << text;
    EXPECT_EQ(text.find("0x40"), std::string::npos) << text;
  }
}

TEST(View, HowItEnded) {
  const auto line = [](Termination t, double after = 0) {
    Snapshot s;
    s.process.argv = {"x"};
    t.after_seconds = after;
    s.termination = t;
    const auto h = make_headline(s);
    return h.command + h.rest;
  };
  EXPECT_EQ(line({.kind = TerminationKind::exited, .exit_code = 3}), "x exited with 3");
  EXPECT_EQ(line({.kind = TerminationKind::signalled, .signal = 15, .signal_name = "SIGTERM"}),
            "x was killed by SIGTERM (exit\u00a0143)");
  EXPECT_EQ(line({.kind = TerminationKind::signalled, .signal = 6, .signal_name = "SIGABRT"}),
            "x died of SIGABRT (exit\u00a0134)");
  EXPECT_EQ(line({.kind = TerminationKind::signalled, .signal = 40}), "x died of signal 40 (exit\u00a0168)");
  EXPECT_EQ(line({}), "x ended, and it could not be seen how");
}

// What a list groups by: the user's line and the exception's kind, not where the interpreter prints it.
TEST(Summary, OfAnExceptionItsLineAndKind) {
  auto c = samples::exception();
  EXPECT_EQ(summarise(c).place, "fit.py:40 ValueError");
  auto& e = c.snapshot.python_exceptions[0];
  e.type = "tensorflow.python.framework.errors_impl.InvalidArgumentError";
  EXPECT_EQ(summarise(c).place, "fit.py:40 InvalidArgumentError");
  e = {.type = "IndentationError", .bases = {"SyntaxError", "Exception"}};
  EXPECT_EQ(summarise(c).place, "IndentationError") << "without a traceback and without a word where";
  e.attributes = {{.name = "args[1]",
                   .type = "tuple",
                   .items = {{.name = "[0]", .type = "str", .text = "'/home/ada/nets/fit.py'"},
                             {.name = "[1]", .type = "int", .text = "3"},
                             {.name = "[2]", .type = "int", .text = "1"},
                             {.name = "[3]", .type = "str"}}}};
  EXPECT_EQ(summarise(c).place, "fit.py:3 IndentationError");
}

TEST(Summary, WithoutOwnCodeThePackageThatCalledLibc) {
  auto c = samples::unknown();
  c.snapshot.modules[0].origin = Origin::unknown;
  c.snapshot.modules[1] = {.path = "/v/site-packages/crop/libcrop.so", .origin = Origin::package};
  c.snapshot.threads[0].frames = {samples::frame(0x7f1000001000, 2, "memcpy"),
                                  samples::frame(0x7f0000001000, 1, "crop")};
  EXPECT_EQ(summarise(c).place, "libcrop.so crop + 0x4c");
  c.snapshot.threads[0].frames.push_back(samples::frame(0x401200, 0, "main"));
  c.snapshot.modules[0].origin = Origin::program;
  EXPECT_EQ(summarise(c).place, "./solver main + 0x4c");
}

// The same secrets in arguments, texts, exceptions, switches and sentences: in no output of any kind.
TEST(View, PlantedSecretsAppearInNoOutput) {
  auto c = samples::strong();
  auto& s = c.snapshot;
  s.process.argv = {"./solver", "--password", "hunter2-one", "--url=https://ada:hunter2-two@host/x",
                    "ghp_hunter2three4567890abcdef"};
  s.root = Root{.pid = 1, .argv = {"make", "TOKEN=hunter2-four"}};
  s.process.switches = {{"OMP_SECRET", "hunter2-five"}, {"TF_X", "sk-hunter2six7890abcdefgh"}};
  s.texts = {{TextKind::failed_check, "Check failed: password = hunter2-seven", {}},
             {TextKind::stderr_tail, "api_key: \"hunter2-eight\"", {}}};
  s.exceptions = {{.type = "E", .what = "login with secret=hunter2-nine failed"}};
  c.diagnosis.findings[0].claim = "the check \"password = hunter2-seven\" failed";
  c.diagnosis.findings[0].evidence_for.push_back({"t", "it said api_key: \"hunter2-eight\"", {}});
  c.diagnosis.certain = {"it was given token=hunter2-ten"};
  const auto safe = redact(c);
  std::string all = draw_list({summarise(safe)}, 0, {});
  for (const char* name : names_of_formats()) all += *render(safe, name, {});
  EXPECT_EQ(all.find("hunter2"), std::string::npos) << all.substr(all.find("hunter2") - 60, 120);
}

}  // namespace sigwhy::report
