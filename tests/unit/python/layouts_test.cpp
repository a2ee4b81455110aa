// Layouts are held against what they claim to describe: the headers they were written from, and living interpreters
// whose frames must read as they are.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include "debug_offsets.h"
#include "interpreters.h"
#include "python/frames.h"
#include "python/lines.h"
#include "python/self_described.h"
#include "target/live.h"
#include "target/target.h"

namespace sigwhy::python {

namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream input(file);
  std::stringstream text;
  text << input.rdbuf();
  return text.str();
}

// An interpreter busy in a known place: it says a byte, then turns in `inner`, called by `outer`, called by a module.
// Stopped while it computes, so that it holds its lock and every release knows its current thread.
class Busy {
 public:
  explicit Busy(const std::string& interpreter) {
    int ends[2];
    if (pipe(ends) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], 1);
      execl(interpreter.c_str(), interpreter.c_str(), "-c", source, nullptr);
      _exit(127);
    }
    close(ends[1]);
    char said = 0;
    ready_ = ::read(ends[0], &said, 1) == 1;
    close(ends[0]);
    usleep(20000);
    kill(pid_, SIGSTOP);
    int status = 0;
    waitpid(pid_, &status, WUNTRACED);
  }
  ~Busy() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

  bool ready() const { return ready_; }
  pid_t pid() const { return pid_; }

  std::optional<Interpreter> interpreter(const Memory& memory) const {
    const auto mappings = parse_maps(content_of("/proc/" + std::to_string(pid_) + "/maps"));
    for (const Mapping& m : mappings) {
      const auto name = std::filesystem::path(m.path).filename().string();
      if (m.offset != 0 || !may_hold_interpreter(name)) continue;
      if (auto found = interpreter_in(memory, {m.start, name})) return found;
    }
    return std::nullopt;
  }

 private:
  static constexpr const char* source =
      "import os\n"
      "def inner():\n"
      "    os.write(1, b'x')\n"
      "    while True: pass\n"
      "def outer(a):\n"
      "    return (a +\n"
      "            inner())\n"
      "outer(1)\n";
  pid_t pid_ = -1;
  bool ready_ = false;
};

class Listed final : public FrameSink {
 public:
  explicit Listed(LineTable lines) : lines_(lines) {}
  void thread(const WalkedThread& thread) override { threads.push_back(thread); }
  void frame(const WalkedFrame& f) override {
    const auto at = location_of(lines_, f.line_table, f.first_line, f.offset);
    frames.push_back(std::string(f.file) + ":" + std::to_string(at ? at->line : -1) + " " + std::string(f.function));
  }
  std::vector<WalkedThread> threads;
  std::vector<std::string> frames;

 private:
  LineTable lines_;
};

// Serves the words of a made table at address 0x1000.
class Words final : public Memory {
 public:
  std::vector<std::uint64_t> words;
  std::size_t read(Address from, std::span<std::byte> into) const override {
    const auto have = words.size() * 8;
    if (from.value < 0x1000 || from.value - 0x1000 >= have) return 0;
    const auto size = std::min(into.size(), have - (from.value - 0x1000));
    std::memcpy(into.data(), reinterpret_cast<const char*>(words.data()) + (from.value - 0x1000), size);
    return size;
  }
};

Words words_of(std::span<const std::uint64_t> table) {
  Words memory;
  memory.words.assign(table.begin(), table.end());
  memory.words.resize(128);  // the runtime goes on behind its table
  return memory;
}

}  // namespace

TEST(Layouts, AreWhatTheHeadersSay) {
  int compared = 0;
  for (const auto& interpreter : interpreters()) {
    const auto version = output_of("'" + interpreter + "' -c 'import sys; print(\"%d_%d\" % sys.version_info[:2])'");
    const auto file = std::filesystem::path(SOURCE_DIR) / "src/python/layouts" /
                      ("cpython_" + version.substr(0, version.find('\n')) + ".cpp");
    const auto include = output_of("'" + interpreter + "' -c 'import sysconfig as s; print(s.get_paths()[\"include\"])'");
    const auto header = std::filesystem::path(include.substr(0, include.find('\n'))) / "Python.h";
    if (!exists(file) || !exists(header)) continue;
    const auto written = output_of("'" SOURCE_DIR "/tools/py_layout.py' '" + interpreter + "'");
    EXPECT_EQ(written, content_of(file)) << interpreter;
    ++compared;
  }
  std::printf("%d interpreters with headers compared\n", compared);
}

TEST(Layouts, ReadTheFramesOfEveryInterpreterHere) {
  const auto all = interpreters();
  ASSERT_FALSE(all.empty());
  for (const auto& path : all) {
    SCOPED_TRACE(path);
    const Busy busy(path);
    ASSERT_TRUE(busy.ready());
    const LiveMemory memory(busy.pid());
    const auto interpreter = busy.interpreter(memory);
    ASSERT_TRUE(interpreter);
    Listed listed(interpreter->layout.lines);
    walk(memory, *interpreter, listed);
    ASSERT_EQ(listed.threads.size(), 1u);
    if (interpreter->layout.thread.native_thread_id) {
      EXPECT_EQ(listed.threads[0].native_thread_id, static_cast<std::uint64_t>(busy.pid()));
    }
    EXPECT_NE(listed.threads[0].thread_id, 0u);
    ASSERT_EQ(listed.frames.size(), 3u);
    EXPECT_EQ(listed.frames[0], "<string>:4 inner");
    EXPECT_EQ(listed.frames[1], "<string>:7 outer");
    EXPECT_EQ(listed.frames[2], "<string>:8 <module>");
  }
}

TEST(Layouts, AnInterpreterThatDescribesItselfNeedsNoLayout) {
  for (const auto& path : interpreters()) {
    SCOPED_TRACE(path);
    const Busy busy(path);
    const LiveMemory memory(busy.pid());
    const auto interpreter = busy.interpreter(memory);
    ASSERT_TRUE(interpreter);
    if (!interpreter->runtime) continue;
    const auto described = described_layout(memory, *interpreter->runtime);
    EXPECT_EQ(described.has_value(), interpreter->layout.minor >= 13);
    if (!described) continue;
    EXPECT_EQ(described->frame.tag_mask, described->minor >= 14 ? 3u : 0u);
    EXPECT_LT(described->text.ascii_data, described->text.compact_data);
  }
}

TEST(SelfDescribed, ReadsRealTables) {
  struct {
    std::span<const std::uint64_t> table;
    int minor;
    Offset head, threads_head, modules, frame, native_thread_id, owner, locals, instructions, gil_holder;
  } cases[] = {{table_3_13, 13, 632, 7344, 7656, 72, 160, 70, 72, 200, 8},
               {table_3_14, 14, 808, 7344, 7688, 72, 160, 74, 80, 208, 8},
               {table_3_15, 15, 936, 7336, 7592, 72, 184, 74, 80, 208, 8}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.minor);
    const auto layout = described_layout(words_of(c.table), Address{0x1000});
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->minor, c.minor);
    EXPECT_EQ(layout->runtime.interpreters_head, c.head);
    EXPECT_EQ(layout->interpreter.threads_head, c.threads_head);
    EXPECT_EQ(layout->interpreter.modules, c.modules);
    EXPECT_EQ(layout->thread.frame, c.frame);
    EXPECT_EQ(layout->thread.native_thread_id, c.native_thread_id);
    EXPECT_EQ(layout->frame.instruction, 56u);
    EXPECT_EQ(layout->frame.owner, c.owner);
    EXPECT_EQ(layout->frame.locals, c.locals);
    EXPECT_EQ(layout->code.line_table, 136u);
    EXPECT_EQ(layout->code.instructions, c.instructions);
    EXPECT_EQ(layout->bytes.data, 32u);
    EXPECT_EQ(layout->text.ascii_data, 40u);
    EXPECT_EQ(layout->text.compact_data, 56u);
    EXPECT_EQ(layout->gil.in_interpreter, 16u);
    EXPECT_EQ(layout->gil.holder, c.gil_holder);
    EXPECT_EQ(layout->gil.locked, 16u);
    EXPECT_EQ(layout->frame.tag_mask, c.minor >= 14 ? 3u : 0u);
    EXPECT_EQ(layout->thread.base_shim, c.minor >= 15);
  }
}

TEST(SelfDescribed, RefusesWhatItDoesNotKnow) {
  const auto with = [](std::size_t index, std::uint64_t value) {
    auto memory = words_of(table_3_14);
    memory.words[index] = value;
    return described_layout(memory, Address{0x1000});
  };
  EXPECT_FALSE(with(0, 0)) << "no mark";
  EXPECT_FALSE(with(1, 0x030e00b2)) << "a beta";
  EXPECT_FALSE(with(1, 0x031000f0)) << "a release line to come";
  EXPECT_FALSE(with(1, 0x1030e00f0)) << "no version";
  EXPECT_FALSE(with(2, 1)) << "free-threaded";
  auto free_threaded = words_of(table_3_14);
  EXPECT_FALSE(is_free_threaded(free_threaded, Address{0x1000}));
  free_threaded.words[2] = 1;
  EXPECT_TRUE(is_free_threaded(free_threaded, Address{0x1000}));
  EXPECT_FALSE(with(5, 400000)) << "outside its structure";
  EXPECT_FALSE(with(22, 0)) << "a structure of no size";
  EXPECT_FALSE(with(36, ~0ull)) << "outside its structure";
  auto cut = words_of(table_3_14);
  cut.words.resize(60);
  EXPECT_FALSE(described_layout(cut, Address{0x1000}));
}

TEST(SelfDescribed, NonsenseIsSurvived) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    auto memory = words_of(table_3_14);
    for (int changes = 0; changes < 4; ++changes) memory.words[1 + random() % 80] = random() >> random() % 64;
    const auto layout = described_layout(memory, Address{0x1000});
    if (layout) {
      ASSERT_LT(*layout->frame.owner, 16u << 20);
    }
  }
}

}  // namespace sigwhy::python
