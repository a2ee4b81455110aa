// fuzz_formats FORMAT SECONDS [SEED]
//
// Feeds damaged samples to one input format, in this process, under AddressSanitizer. Inputs that reach code which none
// reached before are kept and damaged further: the compiler calls __sanitizer_cov_trace_pc in every block of src/inputs
// (build with -DSIGWHY_FUZZ=ON). Ends with 1, and leaves the input behind, at the first crash, at an input that takes
// more than a second of processor time, or when the memory grows beyond 256 MiB. SECONDS are of processor time too, so
// that an hour is an hour on a busy machine.
//
// A checkpoint's index lies beside its shard, and each of its blocks has a checksum, which damage would not come past:
// half of the inputs have it set right again.
#include <fmt/format.h>
#include <sanitizer/asan_interface.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <span>
#include <vector>

#include "../unit/inputs/damage.h"
#include "base/crc32c.h"

namespace {

constexpr std::size_t places = 1 << 16;
constexpr long most_memory_kib = 256 << 10;
constexpr std::size_t longest_input = 256 << 10;

std::array<bool, places> reached_ever, reached_now;
const std::string* current_input;
std::string left_behind;

}  // namespace

extern "C" {

void __sanitizer_cov_trace_pc();
__attribute__((no_sanitize("address"))) void __sanitizer_cov_trace_pc() {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  reached_now[(pc ^ pc >> 16) % places] = true;
}

const char* __asan_default_options();
// Freed memory is kept for a short while only, so that what is measured is what the format takes.
const char* __asan_default_options() { return "quarantine_size_mb=8:max_allocation_size_mb=256:detect_leaks=0"; }
}

namespace {

void leave_input() {
  if (!current_input) return;
  std::ofstream(left_behind, std::ios::binary) << *current_input;
  fmt::print(stderr, "the input is kept in {}\n", left_behind);
}

void too_slow(int) {
  fmt::print(stderr, "an input takes more than a second\n");
  leave_input();
  ::_exit(1);
}

void arm(long seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

sigwhy::Checked check(const std::string& format, const std::string& input) {
  if (format != "checkpoint") return sigwhy::inputs::check_bytes(format.c_str(), input);
  static const sigwhy::inputs::Folder folder;
  static const auto shard = folder.put("state.data-00000-of-00001", sigwhy::inputs::sample("state.data-00000-of-00001"));
  const auto file = sigwhy::inputs::FileBytes::open(folder.put("state.index", input));
  return sigwhy::inputs::find_format(format)->check(*file);
}

// A block, its type, and the masked checksum of both.
struct Block {
  std::size_t at, bytes;
};

std::uint32_t checksum_of(const std::string& bytes, const Block& block) {
  return sigwhy::masked_crc32c(sigwhy::crc32c(std::as_bytes(std::span(bytes).subspan(block.at, block.bytes))));
}

std::vector<Block> blocks_in(const std::string& index) {
  std::vector<Block> blocks;
  for (std::size_t at = 0; at < index.size(); ++at)
    for (std::size_t bytes = 5; at + bytes + 4 <= index.size(); ++bytes) {
      std::uint32_t stored = 0;
      std::memcpy(&stored, index.data() + at + bytes, 4);
      if (stored != checksum_of(index, {at, bytes})) continue;
      blocks.push_back({at, bytes});
      at += bytes + 4;
      bytes = 4;
    }
  return blocks;
}

void set_right(std::string& index, const std::vector<Block>& blocks) {
  for (const Block& block : blocks) {
    if (block.at + block.bytes + 4 > index.size()) continue;
    const auto sum = checksum_of(index, block);
    std::memcpy(index.data() + block.at + block.bytes, &sum, 4);
  }
}

// Whether it reached something new.
bool feed(const char* format, const std::string& input) {
  reached_now.fill(false);
  current_input = &input;
  arm(1);
  const auto checked = check(format, input);
  arm(0);
  if (checked.flaw.has_value() != (checked.soundness == sigwhy::Soundness::broken)) std::abort();
  if (checked.flaw && checked.flaw->inside.empty() && checked.flaw->offset > input.size()) std::abort();
  bool is_new = false;
  for (std::size_t i = 0; i < places; ++i) {
    if (!reached_now[i] || reached_ever[i]) continue;
    reached_ever[i] = is_new = true;
  }
  return is_new;
}

std::string number_changed(std::string bytes, std::mt19937_64& random) {
  constexpr std::uint64_t telling[] = {0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, ~0ull};
  const std::size_t width = 1ull << random() % 4;
  if (bytes.size() < width) return bytes;
  const auto at = random() % (bytes.size() - width + 1);
  const auto value = telling[random() % std::size(telling)] + random() % 3 - 1;
  std::memcpy(bytes.data() + at, &value, width);
  return bytes;
}

std::string damaged(const std::vector<std::string>& kept, std::mt19937_64& random) {
  auto bytes = kept[random() % kept.size()];
  if (bytes.empty()) return std::string(1, static_cast<char>(random()));
  switch (random() % 5) {
    case 0: return number_changed(std::move(bytes), random);
    case 1: {  // a piece of another, or of itself, in between
      const auto& other = kept[random() % kept.size()];
      const auto from = other.empty() ? 0 : random() % other.size();
      return bytes.insert(random() % bytes.size(), other.substr(from, random() % 256)).substr(0, longest_input);
    }
    case 2: {
      const auto at = random() % bytes.size();
      return bytes.erase(at, random() % 64);
    }
    default: return sigwhy::inputs::mutant(bytes, random);
  }
}

std::vector<std::string> samples_of(std::string_view format) {
  if (format == "checkpoint") return {sigwhy::inputs::sample("state.index")};
  std::vector<std::string> samples;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sigwhy::inputs::sample_path(""))) {
    if (!entry.is_regular_file()) continue;
    const auto bytes = sigwhy::inputs::bytes_of(entry.path());
    const auto likeness = sigwhy::inputs::find_format(format)->likeness(entry.path().string(), bytes.substr(0, sigwhy::inputs::first_bytes_seen));
    if (likeness >= sigwhy::inputs::Likeness::as_wrapper) samples.push_back(bytes);
  }
  return samples;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || !sigwhy::inputs::find_format(argv[1])) {
    fmt::print(stderr, "fuzz_formats FORMAT SECONDS [SEED]\nformats:");
    for (const char* name : sigwhy::inputs::names_of_formats()) fmt::print(stderr, " {}", name);
    fmt::print(stderr, "\n");
    return 2;
  }
  left_behind = fmt::format("fuzz-{}.input", argv[1]);
  __asan_set_death_callback(leave_input);
  ::signal(SIGPROF, too_slow);
  auto kept = samples_of(argv[1]);
  if (kept.empty()) kept.push_back("no sample");
  const auto samples = kept.size();
  std::mt19937_64 random(argc > 3 ? std::strtoull(argv[3], nullptr, 0) : 1);
  const double seconds = std::atof(argv[2]);
  const auto blocks = std::string_view(argv[1]) == "checkpoint" ? blocks_in(sigwhy::inputs::sample("state.index")) : std::vector<Block>();
  for (const auto& sample : kept) feed(argv[1], sample);
  std::uint64_t inputs = 0;
  rusage use{};
  while (static_cast<double>(std::clock()) < seconds * CLOCKS_PER_SEC) {
    auto input = damaged(kept, random);
    if (random() % 2) set_right(input, blocks);
    if (feed(argv[1], input)) kept.push_back(input);
    if (++inputs % 1024 != 0) continue;
    ::getrusage(RUSAGE_SELF, &use);
    if (use.ru_maxrss <= most_memory_kib) continue;
    fmt::print(stderr, "memory grew to {} KiB\n", use.ru_maxrss);
    leave_input();
    return 1;
  }
  fmt::print("{}: {} samples, {} inputs in {} s, {} kept, {} places, at most {} MiB\n", argv[1], samples, inputs, argv[2], kept.size() - samples,
             std::ranges::count(reached_ever, true), use.ru_maxrss >> 10);
  return 0;
}
