// The supervisor: traces a whole tree of processes and does nothing between stops. It follows fork, vfork, clone
// and exec, passes every signal on, and at the first stop of a fatal signal grabs the process before it lets it
// die. No syscall stops (they would cost), no EXITKILL (the program must outlive us). The root's zombie is held
// until the report is printed, so that the report stands before the shell's prompt.
//
// supervisor.cpp          the loop and the stops
// supervisor_deaths.cpp   fatal signals, handled faults, grabbing
// supervisor_develop.cpp  the process that reads what was copied, once there is memory for it
// supervisor_guard.cpp    what the guarded heap noted in a program that ended by itself
// supervisor_python.cpp   exceptions of Python programs, at a breakpoint
// supervisor_ready.cpp    what is got ready while nothing happens; a kill and what the kernel said of it
// supervisor_end.cpp      the root's end: whose death it was, who prints
// supervisor_visits.cpp   a look at a living process, for `sigwhy attach`
// supervisor_hang.cpp     a program that makes no progress any more
#pragma once
#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/owned_fd.h"
#include "capture/breakpoints.h"
#include "capture/companion.h"
#include "capture/grab.h"
#include "capture/memory_watch.h"
#include "capture/plan.h"
#include "capture/process_files.h"
#include "capture/python_points.h"
#include "capture/report_place.h"
#include "capture/run_table.h"
#include "capture/standby_arena.h"
#include "capture/standstill.h"
#include "capture/task_groups.h"
#include "capture/thread_look.h"

namespace sigwhy::capture {

struct Tracee {
  pid_t tid = 0;
  pid_t pid = 0;
  bool interrupted = false;  // we asked it to stop, and it has not answered yet
  bool held = false;  // stopped by us while another thread is grabbed; `status` is what waitpid said
  int status = 0;
};

// The last signal that a handler was called for, or that may yet turn out to be fatal.
struct SeenSignal {
  siginfo_t info{};
  pid_t tid = 0;
  double at_s = 0;
  std::uint64_t stack_pointer = 0;
  bool valid = false;
};

// The newest SIGTERM or kin that the process survived: whoever ends programs by plan asks before he kills.
struct PoliteSignal {
  siginfo_t info{};
  double at_s = 0;  // 0: none
  bool ignored = false;
  char command[16] = "";  // the sender's
};

// How far we are with the breakpoints of a process's first thread.
// A call that is known to have begun. It goes on while the stack is deeper and its return address stands there: the
// next call from the same place puts another.
struct OpenCall {
  pid_t tid = 0;
  std::uint64_t stack_pointer = 0;
  long returns_to = 0;
};

struct PythonWatch {
  enum class Stage { none, wanted, at_entry, armed } stage = Stage::none;
  Address entry;
  PythonPoints points;
  const char* refused = nullptr;  // why exceptions of this interpreter are not seen
  double hits_since_s = 0;
  int hits = 0;
  OpenCall finalizes;
};

// The newest exception that a process printed, or was about to: it counts if it turns out to end the process.
struct Raised {
  pid_t pid = 0;
  StandbyArena arena;
  double at_s = 0;
  double finalized_at_s = 0;  // 0: not yet
  std::uint64_t stack_pointer = 0;
};

struct TracedProcess {
  pid_t pid = 0;
  pid_t parent = 0;
  bool executed = false;  // is no longer the front
  pid_t forked_from = 0;  // and still runs the same program
  bool releasing = false;
  bool grabbed = false;
  double main_goes_by_s = 0;  // when its main thread is let go at the latest; 0: it is not held back
  pid_t dying = 0;  // the thread whose signal was taken for fatal
  SeenSignal fault;   // handled SIGSEGV and kin; the candidate arena holds its grab
  SeenSignal asked;   // handled SIGTERM and kin
  PoliteSignal polite;
  double faults_since_s = 0;
  int faults = 0;
  PythonWatch python;
  double made_at_s = 0;
  double executed_at_s = 0;
  double rehearse_at_s = 0;  // when its Python side is looked at next, to remember what that needs; 0: never
  ThreadLook main_thread;  // where it sleeps, and since when; for hangs
  double still_since_s = 0, looked_at_s = 0;
  ProcessFiles files;
  double files_wanted_s = 0;  // since when; 0: they are those of its program
  int handled_last() const { return asked.valid ? asked.info.si_signo : 0; }
};

struct EndedProcess {
  pid_t pid = 0;
  pid_t parent = 0;
  int wait_status = 0;
  double at_s = 0;
  double made_at_s = 0;
  double executed_at_s = 0;
  int handled = 0;  // the signal that it handled last
  char command[16] = "";
};

// A death that was grabbed.
struct Death {
  pid_t pid = 0;
  pid_t sent_by = 0;  // who sent the signal it died of; 0: nobody, or not known
  StandbyArena arena;
  OwnedFd root;    // the process's root directory
  OwnedFd mounts;  // keeps what is mounted there, which may be the process's own and go with it
  Developer developer;
  bool over = false;     // killed, and every thread of it is leaving
  bool told = false;     // the end was sent to the developing process
  bool stored = false;   // it has answered
  bool yielded = false;  // and left the word to a child
  double stopped_at_s = 0;
  std::string id;
  // Its own mistake, not a signal that somebody sent: the kind of death that takes its parents along.
  bool own_fault = false;
  bool killed = false;         // by SIGKILL
  bool waits_for_room = false;  // its developing process is started when there is memory for it
  std::size_t group = 0;        // for MemoryWatch::has_room()
  bool exception = false;  // a Python exception, not a signal
  bool hung = false;         // it lives, or lived until we ended it
  bool guard_found = false;  // it ended by itself, but the guarded heap had something to tell
};

// For the benchmark: written at the end to the file named by SIGWHY_TEST_STATS.
struct Counts {
  std::uint64_t stops = 0;
  double stopped_ms = 0;
  long page_faults = 0;  // of ours, during that stop
  double fatal_at_s = 0;
  double report_ms = 0;
  double exception_ms = 0;  // the last stop at a breakpoint
};

// For hangs: how long between two looks at a program that may not be silent longer than `hang_s`.
double time_between_looks(double hang_s);

class Supervisor {
 public:
  // `armed`: what the keeper undoes if we are killed; null where there is no keeper.
  // `table`: what it shares with the sampler; null likewise.
  Supervisor(pid_t root, const Plan& plan, double started_s, ArmedThreads* armed, RunTable* table);

  // Attaches to the root; errno of the refusal, or 0.
  int seize();
  // Until the root has ended and its report is printed. Returns false where the root had to be let go.
  bool run();
  bool root_released() const { return root_released_; }
  const char* release_reason() const { return release_reason_; }

 private:
  // supervisor.cpp
  bool supervise();
  bool is_traced(pid_t tid, int status) const;
  void on_stop(pid_t tid, int status);
  void on_new(pid_t from, int event);
  void on_exec(pid_t pid);
  void on_gone(pid_t tid, int status);
  Tracee& tracee(pid_t tid);
  TracedProcess& process_of(const Tracee& t);
  void go_on(pid_t tid, int signal);
  void let_go(pid_t tid, int signal);
  void release(TracedProcess& process, const char* reason);

  // supervisor_deaths.cpp
  void on_signal(Tracee& t, int signal);
  void undo_wake_up(const Tracee& t, int signal);
  void on_handled(Tracee& t, TracedProcess& p, const siginfo_t& info);
  void on_exit_stop(Tracee& t);
  void die(Tracee& t, TracedProcess& p, const siginfo_t* info, int signal_to_deliver);
  static long own_page_faults();
  void grab_dying(Tracee& t, TracedProcess& p, const siginfo_t* info, int signal_to_deliver, Death& death);
  std::size_t hold_others(const Tracee& dying, bool interrupt);
  void release_others(const Tracee& dying);
  void release_killed(const Tracee& dying, TracedProcess& p);
  void release_main(TracedProcess& p);
  const Tracee& main_thread_if_held(const Tracee& t) const;
  GrabRequest request_for(const Tracee& dying, const siginfo_t* info);
  void write_tree(ArenaWriter& arena, bool may_open);
  void write_timeline(ArenaWriter& arena) const;
  bool many_died_since(double then_s) const;
  Death& new_death(pid_t pid);
  Death& new_death(pid_t pid, StandbyArena arena);
  void forget_death(TracedProcess& p);
  static void keep_folders(Death& death);

  // supervisor_develop.cpp
  void start_developing(Death& death);
  void wait_for_room(const Death& death) const;
  void start_waiting();
  Death* start_at_last(std::string id);
  void serve_others();

  // supervisor_guard.cpp
  bool guard_found_something(const TracedProcess& p) const;
  void end_with_finding(Tracee& t, TracedProcess& p);

  // supervisor_ready.cpp
  bool get_ready();
  bool open_files();
  void rest_until_rehearsal();
  void rehearse_grab();
  bool renew_standby();
  void want_files(TracedProcess& p);
  std::string_view group_of(const TracedProcess& p) const;
  std::size_t count_doubtful(const TracedProcess& dying) const;
  void note_polite(TracedProcess& p, const siginfo_t& info, bool ignored);
  Killing look_at_kill(const Tracee& t, const TracedProcess& p, siginfo_t& info);
  void write_bounds(TracedProcess& p, bool killed, ArenaWriter& arena);

  // supervisor_python.cpp
  void watch_python(TracedProcess& p);
  void arm(TracedProcess& p, PythonWatch::Stage stage);
  void arm_forked(const Tracee& t, TracedProcess& p);
  bool on_breakpoint(Tracee& t, TracedProcess& p);
  bool settle(pid_t tid);
  void on_entry(TracedProcess& p);
  void leave_alone(TracedProcess& p, const char* why);
  void on_finalize(const Tracee& t, TracedProcess& p);
  static bool is_inside(const OpenCall& call, const Tracee& t);
  void on_raised(const Tracee& t, TracedProcess& p);
  Raised& place_for(pid_t pid);
  Raised* raised_by(pid_t pid);
  void forget_raised(pid_t pid);
  Raised* ended_by_exception(const Tracee& t, const TracedProcess& p, int status);
  bool interrupted_by(const TracedProcess& p, const siginfo_t* info);
  void complete(Raised& raised, const Tracee& t, const siginfo_t* info);
  void die_of_exception(Raised& raised, const Tracee& t, const siginfo_t* info);
  void say_what_is_unseen(const TracedProcess& p, ArenaWriter& arena) const;
  void lose_keeper();
  void stop_watching(const Tracee& t, TracedProcess& p, int event);

  // supervisor_hang.cpp
  void look_for_hang();
  void look_at_main_threads(double now);
  const TracedProcess* stuck_process() const;
  std::vector<TreeThread> tree_threads() const;
  const TracedProcess* child_that_is_waited_for(const TracedProcess& parent) const;
  const TracedProcess* forked_child_in_lock(const TracedProcess& parent) const;
  void on_hang(pid_t pid, double still_s);
  Death* hung_death();

  // supervisor_visits.cpp
  void serve_visitor();
  double copy_living(pid_t pid, ArenaWriter& arena);
  std::vector<LivingThread> watch_living(pid_t pid) const;
  void hold_living(pid_t pid, std::vector<LivingThread>& living);
  void collect_living(std::vector<LivingThread>& living);
  void release_living(const std::vector<LivingThread>& living);

  // supervisor_end.cpp
  void on_root_end(int wait_status);
  Death* death_of(pid_t pid);  // not a hang that was only looked at
  Death* death_with(const std::string& id);
  bool ended_by_timer_of_root(const Death& death) const;
  Death* death_that_travelled_up(int root_status);
  Death* worker_with_finding();
  bool went_on(const EndedProcess& child, int parent_status, double parent_executed_at_s) const;
  bool answers_for_itself(Death& own, int status, double after_s);
  void tell_of_child(Death& child, int status, double after_s);
  bool may_answer(const Death& death) const;
  bool fault_ended_it(const TracedProcess& p, const Tracee& t) const;
  void tell(Death& death, const EndMessage& message);
  void tell_root_end(Death& death, int status, double after_s);
  int how_to_print() const;
  bool all_are_leaving() const;
  void wait_for_report(Death& death, const EndMessage& message);
  void finish(Death& death);
  void serve_stops();
  bool serve_developer(Death& death);
  void adopt_stderr();
  void write_counts() const;
  void pause_for_test(const char* phase) const;

  pid_t root_;
  const Plan& plan_;
  double started_s_;
  std::int64_t started_unix_s_;
  StderrStart stderr_start_ = StderrStart::now();
  std::vector<std::string> companion_;
  std::unordered_map<pid_t, Tracee> tracees_;
  std::unordered_map<pid_t, TracedProcess> processes_;
  std::vector<EndedProcess> ended_;
  std::vector<Death> deaths_;
  ReportPlace report_place_;
  StandbyArena standby_;
  StandbyArena candidate_;      // the newest handled fault
  pid_t candidate_pid_ = 0;
  Breakpoints breakpoints_;
  RunTable* table_;
  std::vector<Raised> raised_;
  std::vector<pid_t> others_;   // threads held during a grab; reserved in advance
  std::vector<std::pair<pid_t, int>> held_;  // the same, with what they stopped for
  MemoryWatch memory_;
  TaskGroups task_groups_;
  double next_hang_look_s_ = 0;
  double idle_since_s_ = 0;  // since when the tree as a whole has used next to no CPU
  std::uint64_t idle_ticks_ = 0;  // its CPU until then
  bool hang_told_ = false;
  bool quiet_ = false;  // there is time for what need not be now
  bool root_released_ = false;
  const char* release_reason_ = nullptr;
  Counts counts_;
};

}  // namespace sigwhy::capture
