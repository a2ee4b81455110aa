// Memory that lies: real interpreters are stopped and grabbed, random bytes of the copies are flipped, and everything
// that reads such a copy must come to an end, whatever it says. Under the sanitizers a wrong access is fatal too.
// SIGWHY_FLIPS sets how many bytes are flipped in all (make test-all: 100,000).
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <random>

#include "../python/interpreters.h"
#include "capture/develop.h"
#include "capture/grab.h"
#include "python/stacks.h"
#include "target/saved.h"

namespace sigwhy::capture {

namespace {

// Something of everything a walk looks at, then a stop.
constexpr const char* program = R"(
import array, ctypes, os, sys, threading
try:
    import numpy
    image = numpy.zeros((28, 28), dtype='float32')
    view = image[3:, ::2]
    ragged = numpy.array([[1], [1, 2]], dtype=object)
except ImportError:
    pass
class Model(object):
    def __init__(self):
        self.layers = [bytearray(100), {'weights': array.array('d', [1.5] * 50)}, (1, 2.5, None, True)]
        self.name = u'gr\u00f6\u00dfe \u4e2d'
def idle(lock):
    names = set(['a', 'b'])
    lock.acquire()
def steps(model, n, **rest):
    big = 2 ** 100
    text = 'x' * 300
    if n: return steps(model, n - 1)
    try:
        raise ValueError('bad', n)
    except ValueError as e:
        os.kill(os.getpid(), 19)
def generated(model):
    yield steps(model, 20)
lock = threading.Lock()
lock.acquire()
thread = threading.Thread(target=idle, args=(lock,))
thread.daemon = True
thread.start()
numbers = (ctypes.c_int * 5)(1, 2, 3)
sorted([1], key=lambda x: list(generated(Model())))
)";

using Arena = std::vector<std::byte>;

Arena grabbed(const std::string& interpreter) {
  const pid_t pid = fork();
  if (pid == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    execl(interpreter.c_str(), interpreter.c_str(), "-c", program, nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(pid, &status, 0);  // its exec
  while (ptrace(PTRACE_CONT, pid, nullptr, nullptr) == 0 && waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
    if (WSTOPSIG(status) == SIGSTOP) break;
  Arena bytes(8u << 20);
  ArenaWriter arena(bytes);
  siginfo_t info{};
  info.si_signo = SIGSEGV;
  info.si_code = 1;
  grab({.pid = pid, .dying = pid, .info = &info}, arena);
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  bytes.resize(arena.used());
  return bytes;
}

// The parts that matter are small beside the stacks: half of the flips fall into the lines the Python walk copied.
std::vector<std::size_t> python_lines(const Arena& arena) {
  constexpr std::size_t line_bytes = 256;
  std::vector<std::size_t> found;
  for (std::size_t at = sizeof(ArenaHeader); at + sizeof(RecordHeader) <= arena.size();) {
    RecordHeader header;
    std::memcpy(&header, arena.data() + at, sizeof header);
    const auto payload = at + sizeof header;
    if (header.type == static_cast<std::uint32_t>(RecordType::memory) && header.bytes == sizeof(MemoryRecord) + line_bytes)
      found.push_back(payload + sizeof(MemoryRecord));
    at = payload + (header.bytes + 7) / 8 * 8;
  }
  return found;
}

std::size_t flips_wanted() {
  const char* text = std::getenv("SIGWHY_FLIPS");
  return text ? static_cast<std::size_t>(std::atoll(text)) : 4000;
}

class Liar {
 public:
  explicit Liar(const Arena& truth) : truth_(truth), lines_(python_lines(truth)) {}

  // One byte changed, or up to 32, most of them a little.
  Arena lie(std::mt19937_64& random) {
    Arena arena = truth_;
    const auto count = random() % 3 ? 1 : 1 + random() % 32;
    for (std::uint64_t i = 0; i < count; ++i) {
      const bool aimed = random() % 2 && !lines_.empty();
      const auto at = aimed ? lines_[random() % lines_.size()] + random() % 256
                            : sizeof(ArenaHeader) + random() % (arena.size() - sizeof(ArenaHeader));
      arena[at] ^= random() % 4 ? static_cast<std::byte>(1u << random() % 8) : static_cast<std::byte>(random());
    }
    flips += count;
    return arena;
  }

  std::size_t flips = 0;

 private:
  const Arena& truth_;
  std::vector<std::size_t> lines_;
};

std::size_t python_frames(const Arena& arena, bool whole_chain) {
  const auto target = target_from_arena(arena, nullptr);
  if (!target) return 0;
  std::vector<Thread> threads;
  if (whole_chain) {
    threads = develop(*target, python::ValuesPolicy::all).threads;
  } else {
    std::vector<Gap> gaps;
    for (const auto& raw : target->threads) threads.push_back({.tid = raw.tid, .died = raw.died});
    python::read_python(*target, threads, python::ValuesPolicy::all, gaps);
  }
  std::size_t frames = 0;
  for (const auto& thread : threads) frames += thread.python.size();
  return frames;
}

}  // namespace

TEST(LyingMemory, IsReadToAnEnd) {
  constexpr double most_seconds = 20;  // one reading, under the sanitizers on a busy machine
  const auto all = python::interpreters();
  const auto share = flips_wanted() / std::max<std::size_t>(all.size(), 1);
  std::mt19937_64 random(1);
  for (const auto& interpreter : all) {
    SCOPED_TRACE(interpreter);
    const Arena truth = grabbed(interpreter);
    ASSERT_GE(python_frames(truth, true), 20u);
    Liar liar(truth);
    double slowest = 0;
    int rounds = 0;
    for (; liar.flips < share; ++rounds) {
      const Arena lie = liar.lie(random);
      const auto begin = std::chrono::steady_clock::now();
      python_frames(lie, rounds % 16 == 0);
      slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::printf("%s: %zu flips in %d readings, the slowest took %.0f ms\n", interpreter.c_str(), liar.flips, rounds,
                slowest * 1000);
    EXPECT_LT(slowest, most_seconds);
  }
}

}  // namespace sigwhy::capture
