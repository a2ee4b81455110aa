#include "native/unwind.h"

#include <fmt/format.h>

#include "native/call_site.h"
#include "native/file_backed_memory.h"
#include "native/modules.h"
#include "native/unwind_cfi.h"
#include "native/unwind_guess.h"
#include "native/unwind_repetition.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_walked = 4096;
constexpr std::size_t most_kept_dying = 128, most_kept_other = 32, most_kept_behind_repetition = 64;
constexpr std::size_t most_scanned_frames = 8;
constexpr std::uint64_t most_overflow_bytes = 64 << 20;
// Looking for repetitions costs as much as unwinding a few frames: at these lengths, not at each.
constexpr std::size_t first_look_for_repetition = 256;

struct Walked {
  std::vector<WalkedFrame> frames;
  std::uint64_t jumped = 0;                       // repetitions left out of frames
  std::optional<std::uint64_t> repetition_bytes;  // known where it jumped
  bool jumped_blind = false;                      // over a hole in the copy of the stack
  bool cut = false;                               // the copy of the stack ended before the stack did
  std::optional<Address> bad_return;              // a return address that is no code ended the walk
};

class ThreadWalk {
 public:
  ThreadWalk(const Target& target, CfiWalker& cfi, CallerGuess& guess, StackWords& words, bool dying,
             const std::optional<StackBounds>& stack)
      : target_(target), cfi_(cfi), guess_(guess), words_(words), dying_(dying), stack_(stack) {}

  Walked run(const UnwindRegisters& start) {
    std::optional<GuessedCaller> next{{start, Trust::instruction_pointer}};
    while (next && walked_.frames.size() < most_walked) {
      const auto end = walk_from(*next);
      next.reset();
      if (jump_) next = after_jump();
      else if (end == CfiWalker::End::not_covered || end == CfiWalker::End::failed) next = guessed(end);
      else if (std::exchange(stuck_, false)) next = scanned();
      else if (end == CfiWalker::End::outermost) first_scanned_.reset();
    }
    // tables that led on from a guess to the end of the stack confirm it; else what they gave is a guess too
    if (first_scanned_)
      for (auto& frame : std::span(walked_.frames).subspan(*first_scanned_)) frame.trust = Trust::scan;
    return std::move(walked_);
  }

 private:
  Address high() const { return stack_ ? stack_->high : Address{}; }

  CfiWalker::End walk_from(const GuessedCaller& start) {
    auto trust = start.trust;
    last_.reset();
    return cfi_.walk(start.registers, [&](const CfiStep& step) {
      const bool resumed = std::exchange(skip_first_, false);
      const bool goes_on = resumed || accept(step, trust);
      trust = Trust::cfi;
      return goes_on;
    });
  }

  // Adds the frame unless it cannot be one; whether to walk on.
  bool accept(const CfiStep& step, Trust trust) {
    const bool guessed_start = !last_ && trust != Trust::cfi;
    if (!walked_.frames.empty() && !guessed_start && !walked_.frames.back().signal_frame &&
        step.registers.sp() <= walked_.frames.back().registers.sp()) {
      stuck_ = step.pc.value != 0;
      return false;
    }
    last_ = step;
    if (!step.activation && !is_executable(target_, step.pc)) {
      if (step.pc.value != 0) walked_.bad_return = step.registers.pc();
      return step.pc.value != 0;  // not covered either, so the walk ends here and guessing begins
    }
    walked_.frames.push_back({step.registers, step.pc, trust, step.signal_frame});
    if (walked_.frames.size() == next_look_) {
      next_look_ *= 2;
      jump_ = jump_over_repetitions(walked_.frames, words_, high());
      if (jump_) return false;
    }
    return walked_.frames.size() < most_walked;
  }

  std::optional<GuessedCaller> after_jump() {
    walked_.jumped += jump_->repetitions;
    walked_.repetition_bytes = jump_->bytes;
    walked_.jumped_blind |= !jump_->all_seen;
    GuessedCaller next{jump_->registers, Trust::cfi};
    jump_.reset();
    skip_first_ = true;  // it is the last frame again
    next_look_ = most_walked + 1;
    return next;
  }

  bool in_stack(Address a) const { return stack_ && a >= stack_->low && a < stack_->high; }

  std::optional<GuessedCaller> guessed(CfiWalker::End end) {
    if (!last_) return std::nullopt;
    if (end == CfiWalker::End::failed && words_.failed() && in_stack(*words_.failed())) {
      walked_.cut = true;
      return std::nullopt;
    }
    const auto& from = last_->registers;
    std::optional<GuessedCaller> next;
    if (!is_executable(target_, last_->pc)) {
      if (last_->activation) next = guess_.by_return_slot(from);
    } else {
      if (last_->activation) next = guess_.by_call_to(last_->pc, from);
      if (!next) next = guess_.by_frame_pointer(from, high());
    }
    return next ? next : scanned();
  }

  // Behind a damaged return address the stack goes on where the tables say; behind a guess they may be wrong, and
  // what is certain is where the guess was found.
  std::optional<GuessedCaller> scanned() {
    if (!dying_ || scans_ >= most_scanned_frames || walked_.frames.empty()) return std::nullopt;
    const auto& back = walked_.frames.back();
    const bool trusted = last_ && back.trust != Trust::scan && in_stack(last_->registers.sp());
    auto next = guess_.by_scan(trusted ? last_->registers : back.registers, high());
    if (!next) return next;
    ++scans_;
    if (!first_scanned_) first_scanned_ = walked_.frames.size();
    return next;
  }

  const Target& target_;
  CfiWalker& cfi_;
  CallerGuess& guess_;
  StackWords& words_;
  bool dying_;
  const std::optional<StackBounds>& stack_;
  Walked walked_;
  std::optional<CfiStep> last_;
  std::optional<Jump> jump_;
  std::size_t next_look_ = first_look_for_repetition;
  std::size_t scans_ = 0;
  std::optional<std::size_t> first_scanned_;  // index of the first frame that rests on a scan
  bool stuck_ = false;                        // the stack pointer did not advance
  bool skip_first_ = false;
};

std::map<std::string, Address> named_registers(const user_regs_struct& r) {
  return {{"rax", {r.rax}}, {"rbx", {r.rbx}},       {"rcx", {r.rcx}},         {"rdx", {r.rdx}},
          {"rsi", {r.rsi}}, {"rdi", {r.rdi}},       {"rbp", {r.rbp}},         {"rsp", {r.rsp}},
          {"r8", {r.r8}},   {"r9", {r.r9}},         {"r10", {r.r10}},         {"r11", {r.r11}},
          {"r12", {r.r12}}, {"r13", {r.r13}},       {"r14", {r.r14}},         {"r15", {r.r15}},
          {"rip", {r.rip}}, {"eflags", {r.eflags}}, {"fs_base", {r.fs_base}}, {"gs_base", {r.gs_base}}};
}

// Of a thread that was read asleep nothing else is known.
void keep_only_pointers(std::map<std::string, Address>& registers) {
  std::erase_if(registers, [](const auto& r) { return r.first != "rip" && r.first != "rsp" && r.first != "fs_base"; });
}

void fold(Walked& walked, Thread& thread) {
  auto run = find_repetition(walked.frames);
  if (!run) return;
  const auto bytes = walked.repetition_bytes ? walked.repetition_bytes : bytes_per_repetition(walked.frames, *run);
  const auto behind = run->first + run->times * run->period;
  const auto& outermost = walked.frames[behind - 1];
  const bool more_to_come = walked.cut || walked.frames.size() >= most_walked;
  run->times += walked.jumped;
  if (walked.jumped_blind) run->estimated_times = run->times;
  else if (bytes && thread.stack && more_to_come && thread.stack->high > outermost.registers.sp())
    run->estimated_times = run->times + (thread.stack->high.value - outermost.registers.sp().value) / *bytes;
  thread.repetition = run;
  const auto kept_behind = std::min(walked.frames.size() - behind, most_kept_behind_repetition);
  const auto begin = walked.frames.begin();
  walked.frames.erase(begin + static_cast<std::ptrdiff_t>(behind + kept_behind), walked.frames.end());
  walked.frames.erase(begin + static_cast<std::ptrdiff_t>(run->first + run->period),
                      begin + static_cast<std::ptrdiff_t>(behind));
}

void add_gaps(const Thread& thread, const Walked& walked, std::size_t left_out, std::vector<Gap>& gaps) {
  if (!thread.died) return;
  if (left_out > 0)
    gaps.push_back({fmt::format("{} outer frames of the thread that died", left_out),
                    fmt::format("a report keeps {} frames", most_kept_dying), ""});
  if (walked.bad_return)
    gaps.push_back({"the callers of the thread that died, as the program called them",
                    fmt::format("a return address on the stack is {:#x}, which is no code: the stack is damaged",
                                walked.bad_return->value),
                    "frames behind it are guesses, found by scanning the stack"});
  if (walked.cut)
    gaps.push_back({"the outermost frames of the thread that died", "only the inner part of its stack was copied", ""});
}

}  // namespace

std::optional<StackBounds> stack_of(const Target& target, Address stack_pointer) {
  const auto above = std::ranges::find_if(
      target.mappings, [&](const Mapping& m) { return m.end > stack_pointer && m.readable && m.writable; });
  if (above == target.mappings.end()) return std::nullopt;
  if (above->start > stack_pointer && above->start.value - stack_pointer.value > most_overflow_bytes)
    return std::nullopt;
  return StackBounds{above->start, above->end, stack_pointer};
}

std::optional<UnwindRegisters> registers_of(const Target& target, const std::vector<Module>& modules, const Frame& frame) {
  if (!frame.stack_pointer || target.threads.empty() || !target.threads[0].registers) return std::nullopt;
  const FileBackedMemory memory(target);
  StackWords words(memory);
  std::optional<UnwindRegisters> found;
  CfiWalker(target, modules, words).walk(unwind_registers(*target.threads[0].registers), [&](const CfiStep& step) {
    if (step.pc == frame.pc && step.registers.sp() == *frame.stack_pointer) found = step.registers;
    return !found && step.registers.sp() <= *frame.stack_pointer;
  });
  return found;
}

std::vector<Thread> unwind(const Target& target, const std::vector<Module>& modules, std::vector<Gap>& gaps,
                           const std::function<void(std::size_t)>& before) {
  const FileBackedMemory memory(target);
  StackWords words(memory);
  CfiWalker cfi(target, modules, words);
  CallerGuess guess(target, memory, words);
  std::vector<Thread> threads;
  for (const auto& raw : target.threads) {
    if (before) {
      before(threads.size());
      words.forget();
    }
    auto& thread = threads.emplace_back(Thread{.tid = raw.tid, .name = raw.name, .died = raw.died});
    if (!raw.registers) continue;
    thread.registers = named_registers(*raw.registers);
    if (raw.partial) keep_only_pointers(thread.registers);
    if (!raw.registers->rip && raw.partial) continue;  // where it was could not be told
    thread.stack = stack_of(target, Address{raw.registers->rsp});
    auto walked = ThreadWalk(target, cfi, guess, words, raw.died, thread.stack).run(unwind_registers(*raw.registers));
    fold(walked, thread);
    const auto kept = std::min(walked.frames.size(), raw.died ? most_kept_dying : most_kept_other);
    if (thread.repetition && thread.repetition->first + thread.repetition->period > kept) thread.repetition.reset();
    for (const auto& frame : std::span(walked.frames).first(kept))
      thread.frames.push_back({.pc = frame.pc,
                               .trust = frame.trust,
                               .module = module_at(modules, frame.pc),
                               .signal_frame = frame.signal_frame,
                               .stack_pointer = frame.registers.sp()});
    add_gaps(thread, walked, walked.frames.size() - kept, gaps);
  }
  return threads;
}

}  // namespace sigwhy::native
