#include <cstring>
#include <memory>

#include "dead_child.h"
#include "target/saved.h"

namespace sigwhy::test {

namespace {

using Blocks = std::vector<std::pair<Address, std::vector<std::byte>>>;

Mapping mapping(std::uint64_t start, std::uint64_t bytes, const char* path, std::mt19937_64& random) {
  Mapping m{.start = {start}, .end = {start + bytes}, .readable = true, .writable = random() % 8 != 0};
  m.executable = random() % 8 == 0;
  m.shared = random() % 8 == 0;
  if (random() % 8 == 0) m.readable = m.writable = m.executable = false;
  m.path = path;
  m.inode = m.path.starts_with('/') ? 7 : 0;
  return m;
}

std::vector<Mapping> mappings(std::mt19937_64& random) {
  return {mapping(0x400000, 0x4000, "/no/such/program", random),
          mapping(0x555500000000, 0x8000, "[heap]", random),
          mapping(0x7f0000000000, 0x6000, "", random),
          mapping(0x7f0000006000, 0x3ffa000, "", random),
          mapping(0x7f1000000000, 0x3000, "/no/such/libc.so.6", random),
          mapping(0x7f1000003000, 0x2000, "", random),
          mapping(0x7f2000000000, 0x2000, "/dev/shm/x (deleted)", random),
          mapping(0x7ffff0000000, 0x8000, "[stack]", random),
          mapping(0xffffffffff600000, 0x1000, "[vsyscall]", random)};
}

// What the readers look for, so that random bytes get past their first checks.
std::uint64_t interesting_word(const Target& target, Address own, std::mt19937_64& random) {
  constexpr std::uint64_t marks[] = {
      0x474e5543432b2b00, 0x474e5543432b2b01, 0x291, 0x251, 0x21, 0x31, 0x20, 0x100002, 0x1000, 0, 1,
      ~std::uint64_t{0},  0x8000000000000000};
  switch (random() % 5) {
    case 0: return marks[random() % std::size(marks)];
    case 1: return random_address(target, random).value;
    case 2: return own.value - 16;
    case 3: return random_address(target, random).value & ~std::uint64_t{15};
    default: return random();
  }
}

void sprinkle_texts(std::vector<std::byte>& block, std::mt19937_64& random) {
  constexpr std::string_view texts[] = {"Check failed: a == b (1 vs. 0)\n",
                                        "x.cc:12] Non-OK-status: no",
                                        ": Assertion `",
                                        "OMP: Error #15: x",
                                        "\xc3\xa4\xff\xfe] ",
                                        "F0101 x.cc:1] y",
                                        "St9exception"};
  for (auto left = random() % 32; left > 0; --left) {
    const auto text = texts[random() % std::size(texts)];
    if (block.size() <= text.size()) return;
    std::memcpy(block.data() + random() % (block.size() - text.size()), text.data(), text.size());
  }
}

void fill(const Target& target, const Mapping& m, Blocks& blocks, std::mt19937_64& random) {
  const auto most = std::min<std::uint64_t>(m.end.value - m.start.value, 0x8000);
  for (std::uint64_t at = 0; at + 64 < most;) {
    const std::uint64_t bytes = std::min<std::uint64_t>(most - at, 64 + random() % 0x3000) & ~std::uint64_t{7};
    std::vector<std::byte> block(bytes);
    for (std::size_t i = 0; i + 8 <= block.size(); i += 8) {
      const auto word = interesting_word(target, m.start + at + i, random);
      std::memcpy(block.data() + i, &word, sizeof word);
    }
    sprinkle_texts(block, random);
    blocks.emplace_back(m.start + at, std::move(block));
    at += bytes + (random() % 2) * (random() % 512);
  }
}

class DamagedMemory final : public Memory {
 public:
  DamagedMemory(std::unique_ptr<Memory> sound, unsigned seed) : sound_(std::move(sound)), seed_(seed) {}

  std::size_t read(Address from, std::span<std::byte> into) const override {
    const auto got = sound_->read(from, into);
    for (std::size_t i = 0; i < got; ++i) {
      const auto chance = ((from.value + i) ^ seed_) * 0x9e3779b97f4a7c15;
      if (chance >> 58 == 0) into[i] ^= static_cast<std::byte>(chance >> 40);
    }
    return got;
  }

 private:
  std::unique_ptr<Memory> sound_;
  unsigned seed_;
};

}  // namespace

void damage(Target& target, unsigned seed) {
  target.memory = std::make_unique<DamagedMemory>(std::move(target.memory), seed);
}

Address random_address(const Target& target, std::mt19937_64& random) {
  const auto& m = target.mappings[random() % target.mappings.size()];
  return m.start + random() % std::min<std::uint64_t>(m.end.value - m.start.value, 0x8000) - random() % 2 * 8;
}

Target random_target(unsigned seed) {
  std::mt19937_64 random(seed);
  Target target;
  target.pid = 1;
  target.mappings = mappings(random);
  target.files["exe"] = "/no/such/program";
  target.signal = siginfo_t{.si_signo = random() % 2 ? SIGABRT : SIGSEGV};
  RawThread thread{.tid = 1, .died = true, .registers = user_regs_struct{}};
  auto& registers = *thread.registers;
  for (auto* one : {&registers.rax, &registers.rbx, &registers.rdi, &registers.rbp, &registers.r8, &registers.r15})
    *one = interesting_word(target, {0x7ffff0000000}, random);
  registers.rsp = random() % 4 ? 0x7ffff0000000 + random() % 0x8000 : random();
  target.threads.push_back(thread);
  auto blocks = std::make_shared<Blocks>();
  for (const auto& m : target.mappings) fill(target, m, *blocks, random);
  std::vector<BlockMemory::Block> views;
  for (const auto& [start, bytes] : *blocks) views.push_back({start, bytes});
  target.memory = std::make_unique<BlockMemory>(std::move(views), blocks);
  return target;
}

}  // namespace sigwhy::test
