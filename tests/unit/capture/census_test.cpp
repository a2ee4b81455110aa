// A census of real interpreters, all that this machine has: it finds what a program holds by the names it holds it
// by; and through memory that lies (bytes flipped as they are read) it comes to an end and its record can be read.
#include "python/census.h"

#include <gtest/gtest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <random>

#include "../python/interpreters.h"
#include "capture/grab_census.h"
#include "capture/smaps.h"
#include "python/census_read.h"
#include "target/live.h"

namespace sigwhy::capture {

namespace {

// 4 + 2 + 8 + 3 + 5 + 2 MiB; `again` is a second name for what `history` has.
constexpr const char* program = R"(
import collections, os, time
MiB = 1 << 20
class Layer(object):
    shared = {'table': bytearray(3 * MiB)}
    def __init__(self):
        self.outputs = [bytearray(MiB) for i in range(2)]
        self.name = 'dense'
class Slotted(object):
    __slots__ = ('rows', 'other')
def closed_over():
    kept = bytearray(5 * MiB)
    return lambda: kept
def train(layer, history):
    again = history
    replay = collections.deque([bytearray(MiB // 32) for i in range(256)])
    words = ['word %d' % i for i in range(5000)]
    slotted = Slotted()
    slotted.rows = [bytearray(2 * MiB)]
    os.write(1, b'x')
    time.sleep(1000)
later = closed_over()
train(Layer(), [bytearray(MiB) for i in range(4)])
)";

class Running {
 public:
  explicit Running(const std::string& interpreter) {
    int ends[2];
    if (pipe(ends) != 0) return;
    pid = fork();
    if (pid == 0) {
      dup2(ends[1], 1);
      execl(interpreter.c_str(), interpreter.c_str(), "-c", program, nullptr);
      _exit(127);
    }
    close(ends[1]);
    char byte = 0;
    ready = read(ends[0], &byte, 1) == 1;
    close(ends[0]);
  }
  ~Running() {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  pid_t pid = 0;
  bool ready = false;
};

const MemoryHolder* holder(const python::CensusFacts& facts, std::string_view name) {
  for (const auto& h : facts.holders)
    if (h.name == name) return &h;
  return nullptr;
}

constexpr std::uint64_t mebibyte = 1u << 20;

void expect_holder(const python::CensusFacts& facts, std::string_view name, std::uint64_t mebibytes, std::uint64_t count) {
  const auto* h = holder(facts, name);
  ASSERT_TRUE(h) << name;
  EXPECT_NEAR(static_cast<double>(h->bytes), static_cast<double>(mebibytes * mebibyte), 4096.0) << name;
  EXPECT_EQ(h->count, count) << name;
  EXPECT_TRUE(h->own_code) << name;
}

TEST(Census, NamesWhatHoldsTheMemory) {
  std::vector<std::byte> scratch(2u << 20), into(python::most_census_bytes);
  const Glances glances{};
  for (const auto& interpreter : python::interpreters()) {
    SCOPED_TRACE(interpreter);
    const Running running(interpreter);
    ASSERT_TRUE(running.ready);
    const auto size = census_of_living({running.pid, glances, {}}, scratch, into, 5);
    const auto facts = python::read_census({reinterpret_cast<const char*>(into.data()), size});
    ASSERT_TRUE(facts);
    EXPECT_FALSE(facts->cut_short);
    EXPECT_NEAR(static_cast<double>(facts->array_bytes), 24.0 * mebibyte, 0.05 * 24 * mebibyte);
    expect_holder(*facts, "history", 4, 4);
    expect_holder(*facts, "layer.outputs", 2, 2);
    expect_holder(*facts, "replay", 8, 256);
    expect_holder(*facts, "later", 5, 1);
    expect_holder(*facts, "slotted", 2, 1);
    EXPECT_FALSE(holder(*facts, "again"));
    const auto* history = holder(*facts, "history");
    ASSERT_TRUE(history && history->function);
    EXPECT_EQ(*history->function, "train");
    EXPECT_EQ(history->length, 4u);
    ASSERT_EQ(history->elements.size(), 1u);
    EXPECT_EQ(history->elements[0].type, "bytearray");
    const auto* words = holder(*facts, "words");
    ASSERT_TRUE(words);
    EXPECT_GT(words->objects, 4500u);
  }
}

// Now and then another byte than there is.
class LyingMemory final : public Memory {
 public:
  LyingMemory(const Memory& memory, std::uint64_t seed) : memory_(memory), random_(seed) {}
  std::size_t read(Address from, std::span<std::byte> into) const override {
    const auto got = memory_.read(from, into);
    if (got && random_() % 16 == 0) into[random_() % got] ^= static_cast<std::byte>(random_() % 3 ? 1u << random_() % 8 : random_());
    return got;
  }

 private:
  const Memory& memory_;
  mutable std::mt19937_64 random_;
};

TEST(Census, SurvivesMemoryThatLies) {
  std::vector<std::byte> scratch(1u << 20), into(python::most_census_bytes);
  const auto all = python::interpreters();
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(all[i]);
    const Running running(all[i]);
    ASSERT_TRUE(running.ready);
    const LiveMemory live(running.pid);
    std::optional<python::Interpreter> interpreter;
    const OwnedFd maps(::open(("/proc/" + std::to_string(running.pid) + "/maps").c_str(), O_RDONLY));
    std::vector<char> buffer(1u << 16);
    read_smaps(maps.get(), buffer, [&](const SmapsEntry& e) {
      const auto name = e.path.substr(e.path.rfind('/') + 1);
      if (!interpreter && e.offset == 0 && python::may_hold_interpreter(name))
        interpreter = python::interpreter_in(live, {Address{e.start}, name});
    });
    ASSERT_TRUE(interpreter);
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const LyingMemory lying(live, seed * 100 + i);
      const auto size = python::take_census(lying, *interpreter, {.limits = {.seconds = 0.1}, .scratch = scratch}, into);
      const auto facts = python::read_census({reinterpret_cast<const char*>(into.data()), size});
      ASSERT_TRUE(facts);
      for (const auto& h : facts->holders) EXPECT_LT(h.bytes, std::uint64_t{1} << 50);
    }
  }
}

TEST(Census, ReadsNoRubbish) {
  std::mt19937_64 random(7);
  std::vector<std::byte> into(python::most_census_bytes);
  EXPECT_FALSE(python::read_census(""));
  python::CensusHeader header{.version = python::census_version, .places = 3, .holders = 5, .types = 7, .copies = 2};
  std::memcpy(header.magic, python::census_magic, sizeof header.magic);
  for (int i = 0; i < 500; ++i) {
    for (auto& byte : into) byte = static_cast<std::byte>(random());
    std::memcpy(into.data(), &header, sizeof header);
    const auto size = i % 2 ? into.size() : random() % into.size();
    const auto facts = python::read_census({reinterpret_cast<const char*>(into.data()), size});
    EXPECT_LE(facts ? facts->holders.size() : 0, 5u);
  }
}

}  // namespace

}  // namespace sigwhy::capture
