#include "capture/develop_process.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

#include "capture/develop.h"
#include "capture/develop_bounds.h"
#include "capture/develop_standstill.h"
#include "capture/signals.h"

namespace sigwhy::capture {

namespace {

std::string file_of(const Target& target, const char* name) {
  const auto found = target.files.find(name);
  return found == target.files.end() ? std::string() : found->second;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\0', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// "VmRSS:\t  1234 kB" -> "1234 kB"
std::string status_line(const std::string& status, std::string_view key) {
  const auto at = ("\n" + status).find("\n" + std::string(key) + ":");
  if (at == std::string::npos) return {};
  const auto from = status.find_first_not_of(" \t", at + key.size() + 1);
  return from == std::string::npos ? std::string() : status.substr(from, status.find('\n', from) - from);
}

std::int64_t status_number(const std::string& status, std::string_view key) {
  std::int64_t value = 0;
  const auto line = status_line(status, key);
  std::from_chars(line.data(), line.data() + line.size(), value);
  return value;
}

std::optional<std::uint64_t> status_bytes(const std::string& status, std::string_view key) {
  if (status_line(status, key).empty()) return std::nullopt;
  return static_cast<std::uint64_t>(status_number(status, key)) << 10;
}

std::vector<std::string> signals_in(const std::string& hex_mask) {
  std::uint64_t mask = 0;
  std::from_chars(hex_mask.data(), hex_mask.data() + hex_mask.size(), mask, 16);
  std::vector<std::string> names;
  for (int signal = 1; signal <= 31; ++signal)
    if (mask >> (signal - 1) & 1) names.push_back(signal_name(signal));
  return names;
}

// Switches that change how libraries behave. Anything else in an environment may be a secret and is not ours.
bool is_switch(std::string_view name) {
  static constexpr std::string_view starts[] = {"OMP_", "KMP_", "MKL_", "OPENBLAS_", "GOTO_", "TF_", "XLA_", "KERAS_",
      "TORCH_", "PYTORCH_", "CUDA_", "NCCL_", "NUMEXPR_", "MALLOC_", "GLIBC_TUNABLES", "PYTHONMALLOC", "PYTHONFAULTHANDLER",
      "PYTHONDEVMODE", "PYTHONHASHSEED", "LD_PRELOAD", "LD_LIBRARY_PATH", "PROTOCOL_BUFFERS_", "SLURM_JOB_ID",
      "SLURM_PROCID", "PBS_JOBID", "LSB_JOBID", "SGE_TASK_ID", "KUBERNETES_SERVICE_HOST", "RANK", "WORLD_SIZE", "LOCAL_RANK", "ASAN_OPTIONS", "UBSAN_OPTIONS", "GRPC_", "JAX_"};
  return std::ranges::any_of(starts, [&](std::string_view start) { return name.starts_with(start); });
}

std::map<std::string, std::string> switches_of(const Target& target) {
  std::map<std::string, std::string> found;
  for (const auto& entry : words_of(file_of(target, "environ"))) {
    const auto equals = entry.find('=');
    if (equals != std::string::npos && is_switch(entry.substr(0, equals)))
      found[entry.substr(0, equals)] = entry.substr(equals + 1, 256);
  }
  return found;
}

// "-" or "max" or nothing at all: none.
std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

// One line of /proc/PID/limits: name in 26 columns, soft, hard, unit.
std::vector<Limit> limits_of(const Target& target) {
  std::vector<Limit> limits;
  std::istringstream lines(file_of(target, "limits"));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    if (line.size() < 27) continue;
    Limit limit{.name = line.substr(4, line.find("  ") - 4)};
    std::ranges::replace(limit.name, ' ', '-');
    std::istringstream fields(line.substr(26));
    std::string soft, hard;
    fields >> soft >> hard >> limit.unit;
    limit.soft = number_in(soft);
    limit.hard = number_in(hard);
    limits.push_back(std::move(limit));
  }
  return limits;
}

// "65531 65530": how many there were, and how many a process may have where that was read.
void add_mappings(const Target& target, Process& p) {
  std::string count, most;
  std::istringstream(file_of(target, "mapping_count")) >> count >> most;
  p.mapping_count = number_in(count);
  if (const auto limit = number_in(most)) p.limits.push_back({"mappings", limit, limit, "mappings"});
}

// As TaskGroups::take() wrote them.
std::vector<TaskGroup> task_groups_of(const Target& target) {
  std::vector<TaskGroup> groups;
  std::istringstream lines(file_of(target, "task_groups"));
  for (std::string numbers, path, file; std::getline(lines, numbers) && std::getline(lines, path) && std::getline(lines, file);) {
    std::istringstream fields(numbers);
    std::string limit, tasks, before, now;
    fields >> limit >> tasks >> before >> now;
    groups.push_back({.path = path,
                      .limit_file = file,
                      .limit = number_in(limit),
                      .task_count = number_in(tasks),
                      .refusals_before = number_in(before),
                      .refusals = number_in(now)});
  }
  return groups;
}

void set_wait_status(Termination& t, int status) {
  if (WIFSIGNALED(status)) {
    t.kind = TerminationKind::signalled;
    t.signal = WTERMSIG(status);
    t.signal_name = signal_name(WTERMSIG(status));
    t.core_dumped = WCOREDUMP(status);
  } else {
    t.kind = TerminationKind::exited;
    t.exit_code = WEXITSTATUS(status);
  }
}

std::vector<ProcessNode> tree_of(const Target& target) {
  std::vector<ProcessNode> tree;
  std::istringstream lines(file_of(target, "tree"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    ProcessNode node;
    std::string end;
    fields >> node.pid >> node.parent >> end;
    std::getline(fields >> std::ws, node.command);
    if (node.pid == target.pid) continue;
    if (end != "-") set_wait_status(node.ended.emplace(), std::atoi(end.c_str()));
    tree.push_back(std::move(node));
  }
  std::ranges::sort(tree, {}, &ProcessNode::pid);
  return tree;
}

const char* code_name(int signal, int code) {
  struct Name {
    int signal, code;
    const char* name;
  };
  static constexpr Name names[] = {
      {0, SI_USER, "SI_USER"}, {0, SI_QUEUE, "SI_QUEUE"}, {0, SI_TKILL, "SI_TKILL"}, {0, SI_KERNEL, "SI_KERNEL"},
      {0, SI_TIMER, "SI_TIMER"}, {SIGSEGV, SEGV_MAPERR, "SEGV_MAPERR"}, {SIGSEGV, SEGV_ACCERR, "SEGV_ACCERR"},
      {SIGSEGV, SEGV_PKUERR, "SEGV_PKUERR"}, {SIGBUS, BUS_ADRALN, "BUS_ADRALN"}, {SIGBUS, BUS_ADRERR, "BUS_ADRERR"},
      {SIGBUS, BUS_OBJERR, "BUS_OBJERR"}, {SIGBUS, BUS_MCEERR_AR, "BUS_MCEERR_AR"},
      {SIGBUS, BUS_MCEERR_AO, "BUS_MCEERR_AO"}, {SIGFPE, FPE_INTDIV, "FPE_INTDIV"}, {SIGFPE, FPE_INTOVF, "FPE_INTOVF"},
      {SIGFPE, FPE_FLTDIV, "FPE_FLTDIV"}, {SIGFPE, FPE_FLTOVF, "FPE_FLTOVF"}, {SIGFPE, FPE_FLTUND, "FPE_FLTUND"},
      {SIGFPE, FPE_FLTRES, "FPE_FLTRES"}, {SIGFPE, FPE_FLTINV, "FPE_FLTINV"}, {SIGILL, ILL_ILLOPC, "ILL_ILLOPC"},
      {SIGILL, ILL_ILLOPN, "ILL_ILLOPN"}, {SIGILL, ILL_PRVOPC, "ILL_PRVOPC"}, {SIGTRAP, TRAP_BRKPT, "TRAP_BRKPT"},
      {SIGTRAP, TRAP_TRACE, "TRAP_TRACE"}, {SIGSYS, 1, "SYS_SECCOMP"}};
  for (const Name& n : names)
    if (n.code == code && (n.signal == 0 || n.signal == signal)) return n.name;
  return nullptr;
}

bool sent_by_terminal(int signal) { return signal == SIGINT || signal == SIGQUIT || signal == SIGHUP; }

}  // namespace

Sender sender_of(const Target& target, const siginfo_t& info, const std::string& command) {
  if (info.si_code == SI_KERNEL || info.si_code > 0)
    return {.relation = sent_by_terminal(info.si_signo) ? SenderRelation::terminal : SenderRelation::kernel};
  Sender sender{.pid = info.si_pid, .uid = static_cast<std::int64_t>(info.si_uid)};
  const auto status = file_of(target, "status");
  const auto tree = tree_of(target);
  const auto node = std::ranges::find(tree, sender.pid, &ProcessNode::pid);
  if (sender.pid == target.pid) sender.relation = SenderRelation::itself;
  else if (sender.pid == status_number(status, "PPid")) sender.relation = SenderRelation::parent;
  else if (node != tree.end() && node->parent == target.pid) sender.relation = SenderRelation::child;
  else if (node != tree.end()) sender.relation = SenderRelation::relative;
  else if (sender.pid == 0) sender.relation = SenderRelation::unknown;  // from outside our pid namespace
  else sender.relation = SenderRelation::other;
  if (!command.empty()) sender.command = command.substr(0, command.find('\n'));
  else if (node != tree.end() && !node->command.empty()) sender.command = node->command;
  return sender;
}

Process process_of(const Target& target) {
  const auto status = file_of(target, "status");
  Process p{.pid = target.pid,
            .parent = status_number(status, "PPid"),
            .uid = status_number(status, "Uid"),
            .command = status_line(status, "Name"),
            .argv = words_of(file_of(target, "cmdline")),
            .executable = file_of(target, "exe"),
            .directory = file_of(target, "cwd"),
            .started_unix_s = target.started_unix_s,
            .switches = switches_of(target),
            .limits = limits_of(target),
            .task_groups = task_groups_of(target),
            .signals_caught = signals_in(status_line(status, "SigCgt")),
            .signals_ignored = signals_in(status_line(status, "SigIgn")),
            .signals_blocked = signals_in(status_line(status, "SigBlk")),
            .tree = tree_of(target)};
  // Of an exception: as it was when it was raised. At the end of the process much has been given back.
  const auto raised = file_of(target, "raised_status");
  const auto& then = raised.empty() ? status : raised;
  if (const auto bytes = status_bytes(then, "VmRSS").value_or(0)) p.resident_bytes = bytes;
  if (const auto count = status_number(then, "Threads")) p.thread_count = static_cast<std::uint64_t>(count);
  p.locked_bytes = status_bytes(then, "VmLck");
  p.data_bytes = status_bytes(then, "VmData");
  if (const auto slots = status_number(then, "FDSize")) p.descriptor_slots = static_cast<std::uint64_t>(slots);
  p.descriptor_count = number_in(file_of(target, "descriptor_count"));
  add_mappings(target, p);
  return p;
}

// As the supervisor wrote it down: seconds, whose copy it is, how many threads that has, whether it was ended.
std::optional<Hang> hang_of(const Target& target) {
  const auto text = file_of(target, "hang");
  double seconds = 0;
  int forked_from = 0, ended = 0;
  unsigned long long threads = 0;
  if (std::sscanf(text.c_str(), "%lf %d %llu %d", &seconds, &forked_from, &threads, &ended) != 4) return std::nullopt;
  Hang hang{.still_seconds = seconds, .ended_by_sigwhy = ended != 0};
  if (forked_from) hang.forked_from = forked_from;
  if (threads) hang.parent_threads = threads;
  hang.waits = waits_in(file_of(target, "standstill"));
  return hang;
}

Termination termination_of(const Target& target) {
  Termination t{.handled_first = target.handled_first, .after_seconds = target.after_seconds};
  if (target.living) {
    t.hang = hang_of(target);
    t.kind = t.hang ? TerminationKind::hung : TerminationKind::running;
    return t;
  }
  double cpu_seconds = 0;
  if (std::sscanf(file_of(target, "cpu_time").c_str(), "%lf", &cpu_seconds) == 1) t.cpu_seconds = cpu_seconds;
  if (target.wait_status_known) set_wait_status(t, target.wait_status);
  if (!target.signal) return t;
  const siginfo_t& info = *target.signal;
  if (t.kind == TerminationKind::unknown) t.kind = TerminationKind::signalled;
  t.signal = info.si_signo;
  t.signal_name = signal_name(info.si_signo);
  t.code = info.si_code;
  if (const char* name = code_name(info.si_signo, info.si_code)) t.code_name = name;
  const bool place = info.si_code > 0 && tells_a_place(info.si_signo);
  if (place) t.address = Address{reinterpret_cast<std::uint64_t>(info.si_addr)};
  if (!place) t.sender = sender_of(target, info, file_of(target, "sender_comm"));
  return t;
}

// The process that the user started, where it could not be asked itself.
static void add_start(Process& p, const Target& target) {
  if (!p.argv.empty()) return;
  p.argv = words_of(file_of(target, "start/cmdline"));
  p.directory = file_of(target, "start/cwd");
}

void set_end(Snapshot& s, const EndMessage& end, const Target& target) {
  const auto fault = s.termination;
  // However it was ended afterwards, it hung.
  const bool hung = fault.kind == TerminationKind::hung;
  if (!hung) set_wait_status(s.termination, end.wait_status);
  if (s.termination.signal == SIGKILL && WIFSIGNALED(end.wait_status)) s.termination.asked_before = asked_before(target);
  if (fault.handled_first) s.termination.handled_signal = fault.signal;
  s.termination.after_seconds = end.after_seconds;
  if (!end.root_pid) return add_start(s.process, target);
  Root root{.pid = end.root_pid, .argv = words_of(file_of(target, "root_cmdline"))};
  if (hung) root.termination = s.termination;
  else set_wait_status(root.termination, end.root_wait_status);
  root.termination.after_seconds = end.after_seconds;
  s.root = std::move(root);
}

}  // namespace sigwhy::capture
