#include "capture/sampling.h"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "capture/clock.h"
#include "capture/forecast.h"
#include "capture/holders_look.h"
#include "capture/life_span.h"
#include "capture/observe.h"
#include "capture/pace.h"
#include "capture/python_look.h"
#include "capture/record_file.h"
#include "capture/sampler.h"
#include "capture/tensorboard.h"
#include "capture/termination_log.h"

namespace sigwhy::capture {

namespace {

constexpr double record_after_s = 1;  // shorter runs leave no time for a kill that nobody sees
constexpr double sync_every_s = 10;
constexpr double write_every_s = 0.5;
constexpr double look_every_s = 0.5;
constexpr double young_s = 20, young_look_every_s = 0.2;  // a short run has few steps to be seen
constexpr double full_look_every_s = 2;
constexpr double forecast_every_s = 5;
constexpr double log_every_s = 2;
constexpr double look_share = 0.00015;  // of a core
constexpr std::size_t stack_bytes = 256u << 10, heap_bytes = 256u << 10;
constexpr std::uint64_t room_to_look_bytes = 6u << 20;

double cpu_s() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

std::size_t read_file(const char* path, std::span<char> into) {
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto got = fd ? ::read(fd.get(), into.data(), into.size()) : 0;
  return got > 0 ? static_cast<std::size_t>(got) : 0;
}

void read_link(pid_t pid, const char* name, std::span<char> into) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  const auto got = ::readlink(path, into.data(), into.size() - 1);
  into[got > 0 ? static_cast<std::size_t>(got) : 0] = '\0';
}

// Who it is, once it is itself (and not the front any more).
void identify(RecordedIdentity& who, pid_t root, pid_t supervisor, double started_s) {
  char path[64];
  who.pid = root;
  who.keeper = getpid();
  who.supervisor = supervisor;
  who.uid = static_cast<std::int32_t>(getuid());
  who.pid_started = life_span_of(root).start_ticks;
  who.keeper_started = life_span_of(who.keeper).start_ticks;
  who.started_unix_s = time(nullptr) - static_cast<std::int64_t>(monotonic_s() - started_s);
  const auto boot = read_file("/proc/sys/kernel/random/boot_id", who.boot_id);
  who.boot_id[boot ? boot - 1 : 0] = '\0';
  snprintf(path, sizeof path, "/proc/%d/comm", root);
  const auto name = read_file(path, std::span(who.command).first(sizeof who.command - 1));
  who.command[name ? name - 1 : 0] = '\0';
  snprintf(path, sizeof path, "/proc/%d/cmdline", root);
  who.arguments_bytes = static_cast<std::uint32_t>(read_file(path, who.arguments));
  read_link(root, "cwd", who.directory);
  read_link(root, "exe", who.executable);
}

// Everything that happens at a reading, in the order of its worth.
class Work {
 public:
  Work(pid_t root, pid_t supervisor, const Plan& plan, RunTable& table, ReportPlace& place)
      : root_(root), supervisor_(supervisor), plan_(plan), table_(table), place_(place), record_(std::make_unique<RunRecord>()),
        started_s_(monotonic_s()), sampler_(table, *record_, started_s_), python_(*record_) {
    table.set_log_is_kept(!plan.termination_log.empty());
    if (!plan.tensorboard.empty()) events_.emplace(plan.tensorboard);
  }

  // Returns the pause until the next.
  double reading() {
    if (!glance()) return pause_s_;
    publish(table_.slots(), *record_, false);
    write_file();
    tell();
    // The waking up counts too.
    const double now = cpu_s(), cost_s = now - cpu_before_s_ - look_cost_s_ - holders_cost_s_;
    cpu_before_s_ = now;
    return pause_s_ = pace_.pause_s(cost_s, share_of_readings(sampler_.process_count()));
  }

  // The supervisor is gone: what is known of the end is for the record to say.
  void note_end(RecordedEnd end, int status = 0) {
    record_->end = end;
    record_->end_status = status;
    if (end == RecordedEnd::alone) record_->alone_s = monotonic_s() - started_s_;
    if (file_) write_now();
  }

  void remove_file() {
    if (!plan_.termination_log.empty() && !table_.told()) write_termination_log(plan_.termination_log, "");
    if (file_) file_.remove();
    table_.set_log_is_kept(false);
    table_.set_record_state(RecordState::removed);
  }

 private:
  // What is read of the processes. False: there was nothing to be read, or nothing may be read just now.
  bool glance() {
    const Glance glance(table_.glances());
    record_->tick_s = pause_s_;
    if (!glance || !sampler_.read()) return false;
    identify_root();
    look_at_python();
    look_at_holders();
    return true;
  }

  std::uint32_t execs() const {
    for (const auto& watched : table_.watched())
      if (watched.pid.load() == root_) return watched.execs.load();
    return 0;
  }

  // Without a tracer nobody tells of the exec, so it is asked once more when it has surely happened.
  void identify_root() {
    const bool late = record_->last_s >= record_after_s;
    if (identified_ && identified_as_ == execs() && identified_late_ == late) return;
    identify(record_->identity, root_, supervisor_, started_s_);
    identified_ = true;
    identified_as_ = execs();
    identified_late_ = late;
  }

  // In a full group each page that a look brings back pushes another one out, and all wait for the disk.
  bool is_full() const {
    const auto& group = record_->group;
    return group.limit_bytes && static_cast<double>(group.used_bytes) > 0.97 * static_cast<double>(group.limit_bytes);
  }

  void look_at_python() {
    look_cost_s_ = 0;
    if (record_->last_s < next_look_s_) return;
    const double before = cpu_s();
    python_.look(root_, execs(), record_->last_s);
    look_cost_s_ = cpu_s() - before;
    const double pause_s = look_pace_.pause_s(look_cost_s_, look_share);
    next_look_s_ = record_->last_s + (is_full() ? full_look_every_s : record_->last_s < young_s ? young_look_every_s : pause_s);
  }

  // Whether there is still so much left that taking some harms nobody.
  bool has_room(std::uint64_t firm_bytes) const {
    const auto limit = record_->group.limit_bytes;
    return (!limit || firm_bytes + room_to_look_bytes < limit) && record_->machine.available_bytes > room_to_look_bytes;
  }

  LivingProcess largest() { return {sampler_.largest(), table_.glances(), python_.interpreter()}; }

  void look_at_holders() {
    holders_cost_s_ = 0;
    if (looked_at_holders_) return;
    auto used = record_->group.used_bytes;
    auto near = nearness_of(*record_, used);
    if (near == Nearness::near) near = nearness_of(*record_, used = sampler_.firm_bytes());
    if (near == Nearness::far) return;
    const double before = cpu_s();
    if (!holders_.is_ready() && has_room(used)) holders_.prepare(record_->group.limit_bytes);
    if (near == Nearness::near) {
      looked_at_holders_ = true;
      if (holders_.is_ready() && holders_.look(largest(), record_->last_s) && file_) file_.write(holders_.seen());
    }
    holders_cost_s_ = cpu_s() - before;
  }

  void write_file() {
    if (record_->last_s < record_after_s || plan_.case_folder.empty()) return;
    if (!file_ && table_.record_state() == RecordState::none) make_file();
    if (!file_ || !worth_writing()) return;
    write_now();
    if (file_ && record_->last_s >= next_sync_s_) {
      file_.sync();
      next_sync_s_ = record_->last_s + sync_every_s;
    }
  }

  void write_now() {
    written_s_ = record_->last_s;
    written_bytes_ = record_->group.used_bytes;
    if (!file_.write(*record_)) table_.set_record_state(RecordState::refused, ENOSPC);
  }

  // The look near the limit is kept for the record: this is another, while there is plenty.
  const RecordedHolders* look_for_forecast() {
    if (looked_at_holders_) return &holders_.seen();
    const Glance glance(table_.glances());
    if (!glance || !holders_.prepare(record_->group.limit_bytes)) return nullptr;
    if (!holders_.look(largest(), record_->last_s)) return nullptr;
    return &holders_.seen();
  }

  // What was asked for.
  void tell() {
    if (events_) events_->add(*record_);
    if (plan_.forecast && record_->last_s >= next_forecast_s_) {
      next_forecast_s_ = record_->last_s + forecast_every_s;
      if (const auto line = forecast_.next(*record_, [this] { return look_for_forecast(); })) place_.say(*line);
    }
    if (plan_.termination_log.empty() || table_.told() || record_->last_s < next_log_s_) return;
    next_log_s_ = record_->last_s + log_every_s;
    if (write_termination_log(plan_.termination_log, standing_words(*record_)) != 0) next_log_s_ += log_every_s * 10;
  }

  // The file may be half a second old, but not where the end may be near or memory grows fast.
  bool worth_writing() const {
    const auto used = record_->group.used_bytes;
    const auto limit = record_->group.limit_bytes ? record_->group.limit_bytes : record_->machine.memory_bytes;
    const auto change = used > written_bytes_ ? used - written_bytes_ : written_bytes_ - used;
    return record_->last_s - written_s_ >= write_every_s || used > limit / 4 * 3 || change > limit / 100;
  }

  void make_file() {
    // Said before it is done: whoever ends the run meanwhile waits for the file to be gone again.
    table_.set_record_state(RecordState::making);
    if (table_.ending()) return table_.set_record_state(RecordState::removed);
    int error = plan_.make_case_folder && plan_.make_case_folder(plan_.case_folder) ? 0 : EACCES;
    if (!error) error = file_.make(plan_.case_folder, [&](std::uint32_t number) { table_.set_record_number(number); });
    if (!error && looked_at_holders_ && holders_.seen().bytes.load()) file_.write(holders_.seen());
    next_sync_s_ = record_->last_s + sync_every_s;
    table_.set_record_state(error ? RecordState::refused : RecordState::there, error);
  }

  pid_t root_, supervisor_;
  const Plan& plan_;
  RunTable& table_;
  ReportPlace& place_;
  std::unique_ptr<RunRecord> record_;
  double started_s_;
  Sampler sampler_;
  PythonLook python_;
  Pace pace_{reading_every_s, 5, 50e-6};
  Pace look_pace_{look_every_s, 30, 60e-6};
  double look_cost_s_ = 0, holders_cost_s_ = 0, cpu_before_s_ = 0;
  HoldersLook holders_;
  bool looked_at_holders_ = false;
  RecordFile file_;
  std::optional<EventFile> events_;
  ForecastLine forecast_;
  double next_forecast_s_ = 0, next_log_s_ = 0;
  bool identified_ = false, identified_late_ = false;
  std::uint32_t identified_as_ = 0;
  double pause_s_ = reading_every_s, next_look_s_ = 0, next_sync_s_ = 0, written_s_ = -1;
  std::uint64_t written_bytes_ = 0;
};

// In a full group a page that is touched for the first time may cost the program its life: what this thread will need
// of its stack and heap it takes while there is plenty, and gives nothing back in between.
[[gnu::noinline]] void touch_stack() {
  volatile char room[stack_bytes - (64u << 10)];
  for (std::size_t i = 0; i < sizeof room; i += 4096) room[i] = 0;
}

void settle_in() {
  mallopt(M_MMAP_THRESHOLD, 512 << 10);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
  touch_stack();
  if (void* room = malloc(heap_bytes)) {
    memset(room, 0xff, heap_bytes);
    asm volatile("" ::"r"(room) : "memory");
    free(room);
  }
}

void block_signals() {
  sigset_t all;
  sigfillset(&all);
  sigdelset(&all, SIGBUS);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

}  // namespace

Sampling::Sampling(pid_t root, pid_t supervisor, const Plan& plan, RunTable* table, ReportPlace& place)
    : root_(root), supervisor_(supervisor), plan_(plan), table_(table), place_(place) {
  if (!table_) return;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  started_ = pthread_create(&thread_, &attributes, thread, this) == 0;
  pthread_attr_destroy(&attributes);
}

void Sampling::finish(bool supervisor_was_killed) {
  if (!started_) return;
  if (supervisor_was_killed) {
    alone_ = true;
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto told = ::write(table_->wake_fd(), &one, sizeof one);
  } else {
    table_->end();
  }
  pthread_join(thread_, nullptr);
}

void* Sampling::thread(void* self) {
  block_signals();
  settle_in();
  static_cast<Sampling*>(self)->run();
  return nullptr;
}

void Sampling::run() {
  table_->set_sampling();
  const OwnedFd root_end = handle_of(root_);
  Work work(root_, supervisor_, plan_, *table_, place_);
  pollfd news[] = {{.fd = table_->wake_fd(), .events = POLLIN, .revents = 0},
                   {.fd = -1, .events = POLLIN, .revents = 0}};
  double next_s = monotonic_s() + reading_every_s;
  for (;;) {
    const double left_s = std::max(0.0, next_s - monotonic_s());
    ::poll(news, 2, static_cast<int>(left_s * 1e3 + 1));
    if (table_->ending()) return work.remove_file();
    if (alone_ && news[1].fd < 0) {
      news[1].fd = root_end.get();
      work.note_end(RecordedEnd::alone);
    }
    if (alone_ && (!root_end || table_->record_state() != RecordState::there)) return;
    if (news[1].fd >= 0 && news[1].revents) {
      // Nobody will tell how it ended; where it ended well there is nothing to tell.
      const auto status = end_status(root_end, root_);
      if (status == 0) return work.remove_file();
      return work.note_end(status ? RecordedEnd::seen : RecordedEnd::not_seen, status.value_or(0));
    }
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = news[0].revents ? ::read(news[0].fd, &count, sizeof count) : 0;
    if (monotonic_s() >= next_s) next_s = monotonic_s() + work.reading();
  }
}

}  // namespace sigwhy::capture
