#include "experiment/layer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "base/owned_fd.h"
#include "experiment/interrupt.h"
#include "experiment/layer_init.h"
#include "experiment/memory_group.h"
#include "experiment/namespaces.h"
#include "experiment/scratch.h"

namespace sigwhy::experiment {

namespace {

constexpr std::size_t tail_bytes = 64 << 10;
constexpr Namespaces no_namespaces = {.user = false, .mount = false, .pid = false, .network = false};

double now_s() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

struct Pipe {
  OwnedFd from, to;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::unexpected(errno_error("cannot make a pipe", errno));
  return Pipe{OwnedFd(ends[0]), OwnedFd(ends[1])};
}

// The init and what binds it to us. Its end is waited for whatever happens.
class Init {
 public:
  Init(pid_t pid, bool whole_namespace) : pid_(pid), signal_(whole_namespace ? SIGKILL : SIGTERM) {}
  Init(const Init&) = delete;
  Init& operator=(const Init&) = delete;
  ~Init() { end(); }

  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, signal_);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
  }

 private:
  pid_t pid_;
  int signal_;
};

void keep_tail(std::string& tail, int fd) {
  char part[16384];
  for (ssize_t got = 0; (got = ::read(fd, part, sizeof part)) > 0;) {
    tail.append(part, static_cast<std::size_t>(got));
    if (tail.size() > 2 * tail_bytes) tail.erase(0, tail.size() - tail_bytes);
  }
}

// Looks now and then at how much was written; seldom where looking takes long.
class WriteWatch {
 public:
  WriteWatch(std::string folder, std::uint64_t bytes) : folder_(std::move(folder)), bytes_(bytes) {}

  bool exceeded() {
    const double begin = now_s();
    if (begin < next_) return false;
    const bool over = written_below(folder_).bytes > bytes_;
    const double took = now_s() - begin;
    next_ = begin + std::max(0.25, 20 * took);
    return over;
  }

 private:
  std::string folder_;
  std::uint64_t bytes_;
  double next_ = 0;
};

// A run in one kind of namespaces. `refused` in the error's place: try the next kind.
class Attempt {
 public:
  Attempt(const LayerRun& run, const Scratch& scratch, const MemoryGroup* group, const Namespaces& namespaces,
          bool only_try)
      : run_(run), scratch_(scratch), group_(group), namespaces_(namespaces), only_try_(only_try) {}

  Result<LayerEnd> go() {
    auto go = make_pipe(), say = make_pipe(), output = make_pipe();
    if (!go || !say || !output) return std::unexpected(errno_error("cannot make a pipe", errno));
    const OwnedFd door = group_ ? group_->door() : OwnedFd();
    const InitPlan plan{.run = run_,
                        .namespaces = namespaces_,
                        .root = root(),
                        .only_try = only_try_,
                        .user_id = ::geteuid(),
                        .group_id = ::getegid(),
                        .go = go->from.get(),
                        .say = say->to.get(),
                        .output = output->to.get(),
                        .group = door.get()};
    const auto pid = static_cast<pid_t>(
        ::syscall(SYS_clone, static_cast<unsigned long>(namespaces_.clone_flags() | SIGCHLD), 0, 0, 0, 0));
    if (pid < 0) return std::unexpected(why_refused(namespaces_, errno));
    if (pid == 0) {
      go->to = OwnedFd();
      layer_init(plan);
    }
    Init init(pid, namespaces_.pid);
    for (OwnedFd* theirs : {&go->from, &say->to, &output->to}) *theirs = OwnedFd();
    if (::write(go->to.get(), "g", 1) != 1) return std::unexpected(errno_error("cannot start the layer", errno));
    auto end = watch(say->from.get(), output->from.get(), init);
    if (end && group_)
      if (auto peak = group_->peak_bytes()) end->peak_bytes = peak;
    return end;
  }

 private:
  NewRoot root() const {
    NewRoot root{.layers = scratch_.layers(),
                 .out = scratch_.out(),
                 .in_memory = scratch_.in_memory(),
                 .bytes = run_.bytes,
                 .fresh_proc = namespaces_.pid,
                 .places = {run_.directory, "/tmp", "/var/tmp"}};
    for (const auto& variable : run_.environment)
      for (const char* name : {"HOME=", "TMPDIR=", "XDG_CACHE_HOME=", "XDG_RUNTIME_DIR="})
        if (variable.starts_with(name)) root.places.push_back(variable.substr(std::string_view(name).size()));
    return root;
  }

  Result<LayerEnd> watch(int say, int output, Init& init) {
    LayerEnd end;
    ::fcntl(output, F_SETFL, O_NONBLOCK);
    WriteWatch writes(scratch_.layers(), run_.bytes);
    double began = now_s();
    bool told = false;
    while (!told) {
      pollfd ready[] = {{say, POLLIN, 0}, {output, POLLIN, 0}};
      (void)::poll(ready, 2, 50);
      keep_tail(end.output_tail, output);
      if (ready[0].revents) {
        Said said;
        if (::read(say, &said, sizeof said) != sizeof said) {
          if (only_try_) return end;
          return failure("the layer ended before the program did", "its first process was killed");
        }
        if (said.kind == Said::refused) return failure("no throw-away layer here", std::string(said.what) + ": " + said.cause);
        if (said.kind == Said::ready) {
          began = now_s();
          end.read_only = said.read_only;
        }
        if (said.kind == Said::ended) {
          end.wait_status = said.wait_status;
          end.peak_bytes = static_cast<std::uint64_t>(said.most_resident_kib) << 10;
          end.full = said.full;
          told = true;
        }
      }
      if (told) break;
      end.interrupted = interrupted();
      end.timed_out = now_s() - began > run_.seconds;
      end.full = !run_.without_layer && writes.exceeded();
      if (end.interrupted || end.timed_out || end.full) break;
    }
    end.seconds = now_s() - began;
    init.end();
    keep_tail(end.output_tail, output);
    if (end.output_tail.size() > tail_bytes) end.output_tail.erase(0, end.output_tail.size() - tail_bytes);
    end.wrote = written_below(scratch_.layers());
    return end;
  }

  const LayerRun& run_;
  const Scratch& scratch_;
  const MemoryGroup* group_;
  Namespaces namespaces_;
  bool only_try_;
};

// What is refused once is refused always, so the kind that worked is kept.
Result<LayerEnd> first_that_works(const LayerRun& run, const Scratch& scratch, const MemoryGroup* group, bool only_try) {
  if (run.without_layer) return Attempt(run, scratch, group, no_namespaces, only_try).go();
  static std::optional<Namespaces> worked;
  if (worked) {
    worked->network = !run.network;
    return Attempt(run, scratch, group, *worked, only_try).go();
  }
  std::optional<Error> first;
  for (const auto& namespaces : namespaces_to_try(!run.network)) {
    auto end = Attempt(run, scratch, group, namespaces, only_try).go();
    if (end) {
      worked = namespaces;
      return end;
    }
    if (!first) first = end.error();
    remove_tree(scratch.layers());
    ::mkdir(scratch.layers().c_str(), 0700);
  }
  return std::unexpected(*first);
}

}  // namespace

Result<LayerEnd> run_in_layer(const LayerRun& wanted, const Scratch& scratch) {
  const InterruptNoted noted;
  LayerRun run = wanted;
  run.bytes = bounded_by_room(scratch, run.bytes);
  auto group = MemoryGroup::make(run.memory_bytes);
  if (!group && run.memory_bytes) return std::unexpected(group.error());
  if (group) scratch.remember_group(group->folder());
  return first_that_works(run, scratch, group ? &*group : nullptr, false);
}

Result<void> try_layer(const std::string& layers_folder, bool network) {
  const InterruptNoted noted;
  auto scratch = Scratch::make(layers_folder);
  if (!scratch) return std::unexpected(scratch.error());
  const LayerRun nothing{.seconds = 60, .network = network};
  if (auto tried = first_that_works(nothing, *scratch, nullptr, true); !tried) return std::unexpected(tried.error());
  return {};
}

}  // namespace sigwhy::experiment
