// Exceptions in flight when programs ended of them, with type, bases and text, and none where they were handled.
#include "native/exceptions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "dead_child.h"

namespace sigwhy::native {
namespace {

using test::Copied;

constexpr const char* program = R"(
#include <cstdlib>
#include <cstring>
#include <exception>
#include <ios>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>
namespace app {
struct Error : std::exception {
  explicit Error(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  std::string text_;
};
struct Detailed : Error { using Error::Error; int code = 7; };
struct Tag { virtual ~Tag() = default; int tag = 3; };
struct Mixed : Tag, std::runtime_error { Mixed() : std::runtime_error("second base") {} };
struct Plain { int number = 4; };
}
void handled(const char* text) { try { throw std::runtime_error(text); } catch (const std::exception&) {} }
void cannot_throw() noexcept { throw std::logic_error("thrown out of noexcept"); }
void in_thread() { std::thread([] { throw std::out_of_range("from a thread"); }).join(); }
void again() {
  std::exception_ptr kept;
  try { throw std::runtime_error("kept and thrown again"); } catch (...) { kept = std::current_exception(); }
  std::rethrow_exception(kept);
}
int main(int argc, char** argv) {
  const std::string way = argv[1];
  handled("an exception that was handled long ago");
  if (way == "runtime_error") throw std::runtime_error("a text that is longer than any small string");
  if (way == "out_of_range") std::vector<int>(3).at(argc + 5);
  if (way == "system_error") throw std::system_error(2, std::generic_category(), "open");
  if (way == "bad_alloc") { std::vector<char> huge(std::size_t(1) << 60); return huge.size() > 3; }
  if (way == "int") throw 42;
  if (way == "literal") throw "only words";
  if (way == "string") throw std::string("a std::string, thrown as it is");
  if (way == "own_long") throw app::Detailed("some class of the program with a long text");
  if (way == "own_short") throw app::Error("short");
  if (way == "mixed") throw app::Mixed();
  if (way == "plain") throw app::Plain();
  if (way == "noexcept") cannot_throw();
  if (way == "thread") in_thread();
  if (way == "again") again();
  if (way == "none") abort();
  if (way == "caught") { try { throw std::runtime_error("being handled"); } catch (...) { abort(); } }
}
)";

class Exceptions : public testing::TestWithParam<Copied> {
 protected:
  std::vector<CppException> of(const char* way) {
    static const std::string path = test::built("exceptions", "c++", program);
    const auto target = test::dead({path, way}, GetParam());
    EXPECT_FALSE(target.threads.empty()) << way;
    return exceptions_of(target);
  }
  // The only one, as "type: text".
  std::string only(const char* way) {
    const auto all = of(way);
    if (all.size() != 1) return std::to_string(all.size()) + " exceptions";
    return all[0].type + ": " + all[0].what.value_or("(no text)");
  }
};
INSTANTIATE_TEST_SUITE_P(copied, Exceptions, testing::Values(Copied::everything, Copied::budget),
                         [](const auto& way) { return way.param == Copied::budget ? "budget" : "everything"; });

TEST_P(Exceptions, of_the_library) {
  EXPECT_EQ(only("runtime_error"), "std::runtime_error: a text that is longer than any small string");
  EXPECT_EQ(only("out_of_range"),
            "std::out_of_range: vector::_M_range_check: __n (which is 7) >= this->size() (which is 3)");
  EXPECT_EQ(only("system_error"), "std::system_error: open: No such file or directory");
  EXPECT_EQ(only("bad_alloc"), "std::bad_alloc: (no text)");
}

TEST_P(Exceptions, of_other_types) {
  EXPECT_EQ(only("int"), "int: (no text)");
  EXPECT_TRUE(only("literal").starts_with("char const*: "));
  EXPECT_TRUE(only("string").ends_with(": a std::string, thrown as it is"));
  EXPECT_EQ(only("plain"), "app::Plain: (no text)");
}

TEST_P(Exceptions, of_the_program) {
  EXPECT_EQ(only("own_long"), "app::Detailed: some class of the program with a long text");
  EXPECT_EQ(only("own_short"), "app::Error: short");
  EXPECT_TRUE(only("mixed").starts_with("app::Mixed: "));
}

// Wheels were long built for the old ABI, whose std::string is another.
TEST_P(Exceptions, of_a_program_built_for_the_old_abi) {
  const auto path = test::built("exceptions_old_abi", "c++ -D_GLIBCXX_USE_CXX11_ABI=0", program);
  const auto what = [&](const char* way) {
    const auto all = exceptions_of(test::dead({path, way}, GetParam()));
    return all.size() == 1 ? all[0].what.value_or("(no text)") : "";
  };
  EXPECT_EQ(what("own_long"), "some class of the program with a long text");
  EXPECT_EQ(what("own_short"), "short");
  EXPECT_EQ(what("runtime_error"), "a text that is longer than any small string");
}

TEST_P(Exceptions, have_their_bases) {
  const auto detailed = of("own_long");
  ASSERT_EQ(detailed.size(), 1u);
  EXPECT_EQ(detailed[0].bases, (std::vector<std::string>{"app::Error", "std::exception"}));
  const auto mixed = of("mixed");
  ASSERT_EQ(mixed.size(), 1u);
  EXPECT_EQ(mixed[0].bases, (std::vector<std::string>{"app::Tag", "std::runtime_error", "std::exception"}));
  EXPECT_EQ(of("system_error").at(0).bases, (std::vector<std::string>{"std::runtime_error", "std::exception"}));
}

TEST_P(Exceptions, out_of_noexcept_threads_and_exception_pointers) {
  EXPECT_EQ(only("noexcept"), "std::logic_error: thrown out of noexcept");
  EXPECT_EQ(only("thread"), "std::out_of_range: from a thread");
  EXPECT_EQ(only("again"), "std::runtime_error: kept and thrown again");
}

TEST_P(Exceptions, being_handled_are_alive_and_handled_ones_are_not) {
  EXPECT_EQ(only("caught"), "std::runtime_error: being handled");
  EXPECT_EQ(of("none").size(), 0u);
}

TEST_P(Exceptions, survive_damage) {
  auto target = test::dead({test::built("exceptions", "c++", program), "mixed"}, GetParam());
  for (unsigned seed = 1; seed < 20; ++seed) {
    test::damage(target, seed);
    exceptions_of(target);
  }
}

TEST(ExceptionBytes, survive_random_memory) {
  for (unsigned seed = 0; seed < 200; ++seed) exceptions_of(test::random_target(seed));
}

}  // namespace
}  // namespace sigwhy::native
