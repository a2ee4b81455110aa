// Numbers, names and lines as a reader sees them.
#include "report/words.h"

#include <gtest/gtest.h>

#include "report/page.h"
#include "report/symbols.h"

namespace sigwhy::report {

// Words that must stay together are glued by U+00A0.
static std::string plain(std::string text) {
  for (std::size_t at; (at = text.find("\u00a0")) != std::string::npos;) text.replace(at, 2, " ");
  return text;
}

TEST(Symbols, ModulesWithoutTheInterpretersTag) {
  EXPECT_EQ(short_module("_multiarray_umath.cpython-311-x86_64-linux-gnu.so"), "_multiarray_umath.so");
  EXPECT_EQ(short_module("_rust.abi3.so"), "_rust.so");
  EXPECT_EQ(short_module("libtorch_cpu.so"), "libtorch_cpu.so");
  EXPECT_EQ(short_module("x.cpython-311-notes.txt"), "x.cpython-311-notes.txt");
  EXPECT_EQ(short_module("a_library_whose_name_never_seems_to_end.so.12"), "a_library_whose_name_ne…d.so.12");
}

TEST(Words, Durations) {
  const std::pair<double, const char*> cases[] = {
      {0.0004, "0 ms"}, {0.012, "12 ms"},       {0.4, "0.4 s"},      {2, "2 s"},
      {3.24, "3.2 s"},  {9.96, "10 s"},         {59.6, "1 min 0 s"}, {192, "3 min 12 s"},
      {2460, "41 min"}, {18'720, "5 h 12 min"}, {273'600, "3 d 4 h"}};
  for (const auto& [seconds, text] : cases) EXPECT_EQ(plain(duration_text(seconds)), text);
}

TEST(Words, Sizes) {
  const std::pair<std::uint64_t, const char*> cases[] = {
      {0, "0 bytes"},         {1, "1 byte"},          {9'999, "9,999 bytes"},  {12'288, "12.0 KiB"},
      {480'000, "468.8 KiB"}, {1'048'575, "1.0 MiB"}, {8ull << 30, "8.0 GiB"}, {~0ull, "16.0 EiB"}};
  for (const auto& [bytes, text] : cases) EXPECT_EQ(plain(size_text(bytes)), text);
}

TEST(Words, Counts) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(60'000), "60,000");
  EXPECT_EQ(count_text(~0ull), "18,446,744,073,709,551,615");
}

TEST(Words, CommandsAreQuotedAsTyped) {
  EXPECT_EQ(command_text({"./x", "a b", "it's", "", "--k=v"}), "./x 'a b' 'it'\\''s' '' --k=v");
}

TEST(Symbols, ShortNames) {
  const std::pair<const char*, const char*> cases[] = {
      {"main", "main"},
      {"solve(double*, int)", "solve"},
      {"void ops::crop<float, 3>(float const*, long)", "ops::crop"},
      {"tree::Node<int>::depth() const", "tree::Node::depth"},
      {"(anonymous namespace)::run(int)", "run"},
      {"std::ostream& operator<< <char>(std::ostream&, char const*)", "operator<<"},
      {"Op<float>::operator()(Context*) const", "Op::operator()"},
      {"foo(int)::{lambda(int)#1}::operator()(int) const", "foo::{lambda}::operator()"},
      {"operator new(unsigned long)", "operator new"},
      {"Value::operator bool() const", "Value::operator bool"},
      {"f(int) [clone .cold]", "f"},
      {"parse.part.0", "parse"},
      {"__assert_fail_base.cold", "__assert_fail_base"},
      {"Ptr::operator->() const", "Ptr::operator->"},
      {"std::vector<int, std::allocator<int> >::operator[](unsigned long)", "std::vector::operator[]"},
      {"tensorflow::grappler::internal::very_long_namespace_name::Optimize(int)", "Optimize"},
  };
  for (const auto& [symbol, shown] : cases) EXPECT_EQ(short_symbol(symbol), shown) << symbol;
}

TEST(Symbols, BrokenNamesStayBounded) {
  for (const char* symbol : {"", "<", "((((", "f(", "operator", "operator<", "a<b<c", ">>>", "{lambda", "::::"})
    short_symbol(symbol);
  EXPECT_LE(width_of(short_symbol(std::string(5'000, 'x'))), 32);
  EXPECT_LE(width_of(short_symbol("f" + std::string(5'000, '<'))), 32);
}

TEST(Symbols, SourceFiles) {
  EXPECT_EQ(short_source("/home/ada/nets/src/x.cc", "/home/ada/nets"), "src/x.cc");
  EXPECT_EQ(short_source("/home/ada/netsshop/x.cc", "/home/ada/nets"), "x.cc");
  EXPECT_EQ(short_source("/usr/include/c++/12/vector", "/home/ada"), "vector");
  EXPECT_EQ(short_source("../../lib/x.cc", "/home/ada"), "x.cc");
  EXPECT_EQ(short_source("/w/a/very/deep/folder/below/the/project/x.cc", "/w"), "x.cc");
}

TEST(Page, ControlCharactersCannotSteerTheTerminal) {
  EXPECT_EQ(printable("a\033[2Jb\x7f\n", true), "a\\x1b[2Jb\\x7f\\x0a");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J",
                      true),
            "\\x9b2J")
      << "the eight-bit escape";
  EXPECT_EQ(printable("bad \xff\xc3", true), "bad \\xff\\xc3");
  EXPECT_EQ(printable("\u202egnp.exe", true), "\\u202egnp.exe");
  EXPECT_EQ(printable("naïve … café", false), "na?ve ... caf?");
  EXPECT_EQ(printable("naïve …", true), "naïve …");
}

TEST(Page, Widths) {
  EXPECT_EQ(width_of("abc"), 3);
  EXPECT_EQ(width_of("…é"), 2);
  EXPECT_EQ(width_of("漢字"), 4);
}

TEST(Page, Wrapping) {
  EXPECT_EQ(wrap("one two three", 7, 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("a  b", 10, 10), (std::vector<std::string>{"a  b"}));
  EXPECT_EQ(wrap("/usr/lib/python3/dist-packages", 13, 13),
            (std::vector<std::string>{"/usr/lib/", "python3/", "dist-packages"}));
  EXPECT_EQ(wrap("", 10, 10), std::vector<std::string>{""});
}

TEST(Page, MiddlesGoFirst) {
  EXPECT_EQ(shorten_middle("python train.py --data x", 12, true), "python t…a x");
  EXPECT_EQ(shorten_middle("python train.py --data x", 12, false), "python...a x");
  EXPECT_EQ(shorten_middle("short", 12, true), "short");
}

}  // namespace sigwhy::report
