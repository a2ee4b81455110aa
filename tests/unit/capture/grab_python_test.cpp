// What the Python part of a grab costs while the program stands still: 60 threads with a thousand frames. Counted in
// reads of its memory (each is a system call of about a microsecond); the time is printed, because a machine may be
// busy.
#include "capture/grab_python.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>

#include "../python/interpreters.h"
#include "target/live.h"

namespace sigwhy::capture {

namespace {

constexpr const char* program = R"(
import os, threading
ready, stay = threading.Semaphore(0), threading.Lock()
stay.acquire()
def descend(depth, rows):
    total = {'depth': depth, 'rows': rows}
    if depth:
        return descend(depth - 1, [rows])
    ready.release(); stay.acquire()
for i in range(60):
    thread = threading.Thread(target=descend, args=(14, [i]))
    thread.daemon = True
    thread.start()
for i in range(60):
    ready.acquire()
os.write(1, b'x')
stay.acquire()
)";

class Counted final : public Memory {
 public:
  explicit Counted(const Memory& memory) : memory_(memory) {}
  std::size_t read(Address from, std::span<std::byte> into) const override {
    ++reads;
    return memory_.read(from, into);
  }
  mutable std::size_t reads = 0;

 private:
  const Memory& memory_;
};

struct Waiting {
  explicit Waiting(const std::string& interpreter) {
    int ends[2];
    if (pipe(ends) != 0) return;
    pid = fork();
    if (pid == 0) {
      dup2(ends[1], 1);
      execl(interpreter.c_str(), interpreter.c_str(), "-c", program, nullptr);
      _exit(127);
    }
    close(ends[1]);
    char said = 0;
    ready = ::read(ends[0], &said, 1) == 1;
    close(ends[0]);
  }
  ~Waiting() {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  pid_t pid = -1;
  bool ready = false;
};

class Heard final : public python::Listener {
 public:
  void thread(const python::WalkedThread&) override { ++threads; }
  void frame(const python::WalkedFrame&) override { ++frames; }
  int threads = 0, frames = 0;
};

}  // namespace

TEST(GrabPython, SixtyThreadsAreReadInFewReads) {
  for (const auto& interpreter : python::interpreters()) {
    SCOPED_TRACE(interpreter);
    const Waiting waiting(interpreter);
    ASSERT_TRUE(waiting.ready);
    std::ifstream file("/proc/" + std::to_string(waiting.pid) + "/maps");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto maps = std::make_unique<MapTable>();
    maps->parse(text);
    std::vector<std::byte> bytes(8u << 20);
    ArenaWriter arena(bytes);
    const LiveMemory live(waiting.pid);
    const Counted memory(live);
    const auto begin = std::chrono::steady_clock::now();
    copy_python(memory, *maps, {.native_thread_id = static_cast<std::uint64_t>(waiting.pid)}, arena);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    std::printf("%s: %.1f ms, %zu reads, %zu KiB\n", interpreter.c_str(), took.count(), memory.reads, arena.used() >> 10);
    EXPECT_LT(memory.reads, 3000u);
    EXPECT_LT(arena.used(), 3u << 20);

    Heard heard;
    for (const MapEntry& e : *maps)
      if (e.offset == 0 && python::may_hold_interpreter(maps->name(e)))
        if (const auto found = python::interpreter_in(live, {Address{e.start}, maps->name(e)}); found && !heard.threads)
          python::walk(live, *found, heard);
    EXPECT_EQ(heard.threads, 61);
    EXPECT_GE(heard.frames, 60 * 15);
  }
}

}  // namespace sigwhy::capture
