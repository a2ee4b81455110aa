// Last words found in the memory of programs that really gave up, and none found in those that merely have such
// words lying about.
#include "native/texts.h"

#include <gtest/gtest.h>

#include "dead_child.h"
#include "native/texts_encoded.h"
#include "native/texts_line.h"

namespace sigwhy::native {
namespace {

using namespace std::string_literals;
using test::Copied;

constexpr const char* c_program = R"(
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void *volatile keep[8];
__attribute__((noinline)) void fill(char *p, int n) { for (int i = 0; i < n; ++i) p[i] = 'A'; }
void assertion(int n) { assert(n == 4711 && "the number"); }
void smash(int n) { char small[16]; fill(small, n + 40); keep[0] = small; }
void twice(int n) { void *p = malloc(30); keep[0] = p; free(keep[0]); free(keep[0]); }
void plain(int n) { abort(); }
void fault(int n) { *(volatile int *)(long)(n - 1) = 0; }
// Words that some other part of the program has in its memory, out of the dying thread's reach.
void elsewhere(int n) {
  keep[0] = malloc(100000);
  strcpy((char *)keep[0] + 50000, "F0101 10:00:00.000000  77 other.cc:12] Check failed: old == news");
  abort();
}
int main(int argc, char **argv) {
  if (!strcmp(argv[1], "assertion")) assertion(argc - 1);
  if (!strcmp(argv[1], "smash")) smash(argc - 1);
  if (!strcmp(argv[1], "twice")) twice(argc - 1);
  if (!strcmp(argv[1], "plain")) plain(argc - 1);
  if (!strcmp(argv[1], "fault")) fault(argc - 1);
  if (!strcmp(argv[1], "elsewhere")) elsewhere(argc - 1);
}
)";

// Loggers of three makes: a stream with file and line behind it (TensorFlow), a ready line in a buffer of its own
// (glog, abseil), and a bracket prefix (PyTorch).
constexpr const char* logger_program = R"(
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
class Message : public std::basic_ostringstream<char> {
 public:
  Message(const char* file, int line) : file_(file), line_(line), severity_(3) {}
  ~Message() {
    fprintf(stderr, "2024-01-01 00:00:00.000001: F %s:%d] %s\n", file_, line_, str().c_str());
    abort();
  }
 private:
  const char* file_;
  int line_;
  int severity_;
};
struct Data { long flags[4]; char text[1000]; };
class Buffered {
 public:
  __attribute__((noinline)) Buffered() : data_(new Data) {
    strcpy(data_->text, "F0512 10:00:00.123456   77 tensor.h:947] Check failed: IsAligned() ptr = 0x10\n");
  }
  __attribute__((noinline)) ~Buffered() { fputs(data_->text, stderr); abort(); }
 private:
  std::unique_ptr<Data> data_;
};
__attribute__((noinline)) void stream(int n) {
  // A long text first, so that the buffer's old content would show behind a shorter one.
  { std::ostringstream before; before << std::string(400, 'z'); }
  Message("core/framework/tensor.cc", 733)
      << "Check failed: " << n << " == NumElements() (1 vs. 0)Must have one element";
}
__attribute__((noinline)) void buffered() { Buffered now; }
__attribute__((noinline)) void bracket() {
  auto* line = new std::string("[F socket.cpp:12] could not bind to any of the addresses");
  fputs(line->c_str(), stderr);
  abort();
}
int main(int argc, char** argv) {
  if (!strcmp(argv[1], "stream")) stream(argc - 1);
  if (!strcmp(argv[1], "buffered")) buffered();
  if (!strcmp(argv[1], "bracket")) bracket();
}
)";

Target c_death(const char* way, Copied copied) {
  static const std::string path = test::built("texts_c", "cc", c_program);
  return test::dead({path, way}, copied);
}

Target logger_death(const char* way, Copied copied) {
  static const std::string path = test::built("texts_loggers", "c++", logger_program);
  return test::dead({path, way}, copied);
}

class Texts : public testing::TestWithParam<Copied> {};
INSTANTIATE_TEST_SUITE_P(copied, Texts, testing::Values(Copied::everything, Copied::budget),
                         [](const auto& way) { return way.param == Copied::budget ? "budget" : "everything"; });

TEST_P(Texts, of_glibc) {
  const auto first = [&](const char* way) {
    const auto texts = texts_of(c_death(way, GetParam()));
    return texts.empty() || texts[0].kind != TextKind::abort_message ? "" : texts[0].text;
  };
  EXPECT_TRUE(first("assertion").ends_with("assertion: Assertion `n == 4711 && \"the number\"' failed."));
  EXPECT_EQ(first("smash"), "*** stack smashing detected ***: terminated");
  EXPECT_EQ(first("twice"), "free(): double free detected in tcache 2");
}

TEST_P(Texts, are_absent_where_nothing_was_said) {
  EXPECT_TRUE(texts_of(c_death("plain", GetParam())).empty());
  EXPECT_TRUE(texts_of(c_death("fault", GetParam())).empty());
}

TEST_P(Texts, out_of_reach_are_not_dug_up) { EXPECT_TRUE(texts_of(c_death("elsewhere", GetParam())).empty()); }

TEST_P(Texts, of_loggers) {
  const auto only = [&](const char* way) {
    const auto texts = texts_of(logger_death(way, GetParam()));
    EXPECT_EQ(texts.size(), 1u) << way;
    return texts.empty() || texts[0].kind != TextKind::failed_check ? "" : texts[0].text;
  };
  EXPECT_EQ(only("stream"),
            "core/framework/tensor.cc:733: Check failed: 1 == NumElements() (1 vs. 0)Must have one element");
  EXPECT_EQ(only("buffered"), "tensor.h:947: Check failed: IsAligned() ptr = 0x10");
  EXPECT_EQ(only("bracket"), "socket.cpp:12: could not bind to any of the addresses");
}

TEST_P(Texts, survive_damage) {
  auto target = logger_death("stream", GetParam());
  for (unsigned seed = 1; seed < 20; ++seed) {
    test::damage(target, seed);
    texts_of(target);
  }
}

std::string explained(std::string_view bytes) {
  const auto lines = lines_that_explain(bytes);
  if (lines.size() != 1) return std::to_string(lines.size()) + " lines";
  return explanation(lines[0].kind, bytes.substr(lines[0].start, lines[0].end - lines[0].start)).value_or("");
}

TEST(TextLines, lose_the_logger_s_prefix) {
  EXPECT_EQ(
      explained("2021-05-12 10:00:00.123456: F tensorflow/core/framework/tensor.cc:733] Check failed: a (1 vs. 0)\n"),
      "tensorflow/core/framework/tensor.cc:733: Check failed: a (1 vs. 0)");
  EXPECT_EQ(explained("F0000 00:00:1715500000.123456   77 x.cc:1] Non-OK-status: Run() status: INTERNAL: no"),
            "x.cc:1: Non-OK-status: Run() status: INTERNAL: no");
  EXPECT_EQ(explained("F tensorflow/core/util/x.cc:12] some words"), "tensorflow/core/util/x.cc:12: some words");
  EXPECT_EQ(explained("[libprotobuf FATAL google/protobuf/stubs/common.cc:86] This program was compiled against 3.9"),
            "google/protobuf/stubs/common.cc:86: This program was compiled against 3.9");
  EXPECT_EQ(explained("OMP: Error #15: Initializing libiomp5.so, but found libomp.so already initialized."),
            "OMP: Error #15: Initializing libiomp5.so, but found libomp.so already initialized.");
  EXPECT_EQ(explained("Fatal Python error: Segmentation fault\n\nCurrent thread"),
            "Fatal Python error: Segmentation fault");
}

TEST(TextLines, end_where_the_text_ends) {
  EXPECT_EQ(explained(std::string_view("\x91\0\0\0\0\0\0\0Check failed: x == y\0zzzz", 33)), "Check failed: x == y");
  EXPECT_EQ(explained("Check failed: größer\xff\xfe\x01"), "Check failed: größer");
}

TEST(TextLines, are_not_every_line_with_such_words) {
  EXPECT_EQ(explained("raise ValueError('Check failed: no')"), "0 lines") << "a program's source";
  EXPECT_EQ(explained("Check failed: %s (%d vs. %d)"), "0 lines") << "what a message is made from";
  EXPECT_EQ(explained("I0512 10:00:00.123456 77 x.cc:1] Adding visible device"), "0 lines");
  EXPECT_EQ(explained("[W socket.cpp:12] retrying"), "0 lines");
  EXPECT_EQ(explained("list[3] Check"), "0 lines");
}

TEST(StderrTail, is_the_last_twenty_lines_as_a_terminal_shows_them) {
  Target target;
  EXPECT_FALSE(stderr_tail(target));
  std::string file = "first\n";
  for (int i = 0; i < 19; ++i) file += "line\n";
  file += "10%\r20%\r\x1b[31m30%\x1b[0m done \xff\n\n";
  target.files["stderr_tail"] = file;
  const auto tail = stderr_tail(target);
  ASSERT_TRUE(tail);
  EXPECT_EQ(tail->kind, TextKind::stderr_tail);
  EXPECT_TRUE(tail->text.starts_with("line\n"));
  EXPECT_TRUE(tail->text.ends_with("\n30% done ?"));
  target.files["stderr_tail"] = "\n\n";
  EXPECT_FALSE(stderr_tail(target));
}

// As abseil encodes it: file, line, time, severity, thread, then values, each a literal or made at run time.
std::string encoded(std::string_view severity) {
  std::string event("junk\x12\x03x.h", 9);
  event += "\0\0\x12\x09tensor.cc\x18\x83\x07 \x9b\xfa\x01("s;
  event += severity;
  event +=
      "0\xb5\x97\x01:\x10\x32\x0e"
      "Check failed: :\x8a\x00\x0a\x87\x00 a == b"s;
  return event + ":\x05\x32\x03 no\0\x14 rest"s;
}

TEST(EncodedEvents, are_put_together_again) {
  const auto events = encoded_events(encoded("\xcc\x08"));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].text, "tensor.cc:899: Check failed:  a == b no");
  EXPECT_TRUE(encoded_events(encoded("\xa0\x06")).empty()) << "logged as information";
}

TEST(EncodedEvents, may_be_cut_off_anywhere) {
  const auto whole = encoded("\xcc\x08");
  for (std::size_t size = 0; size < whole.size(); ++size)
    for (const auto& event : encoded_events(whole.substr(0, size)))
      EXPECT_TRUE(event.text.starts_with("tensor.cc:899: Check failed:")) << size;
}

TEST(TextLines, survive_random_memory) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    auto target = test::random_target(seed);
    texts_of(target);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 5000; ++i) target.files["stderr_tail"] += static_cast<char>(random());
    stderr_tail(target);
  }
}

}  // namespace
}  // namespace sigwhy::native
