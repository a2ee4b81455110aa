// `--tee`: the program's stderr goes through us, so that its last words are known even when it is a terminal or a
// pipe. Off by default, because it stands between the program and its terminal. The keeper relays, not the
// supervisor: the program's stderr must not break when the supervisor is killed.
#pragma once
#include <cstddef>
#include <functional>
#include <span>

#include "base/owned_fd.h"
#include "target/arena.h"

namespace sigwhy::capture {

struct TeeTail;

class Tee {
 public:
  Tee() = default;
  // A pty where stderr is a terminal (isatty stays true), a pipe else.
  static Tee make();

  int source() const { return source_.get(); }
  // In the program, before its exec.
  void redirect_stderr();
  // In the keeper: until every writer is gone. Returns at once where there is no tee. `event` is called once when
  // `other` becomes readable meanwhile.
  void relay(int other, const std::function<void()>& event);

 private:
  OwnedFd source_;  // what we read
  OwnedFd sink_;    // what the program writes to
};

// Waits shortly until what the program wrote is relayed, then copies the last 64 KiB into the arena.
void copy_tee_tail(ArenaWriter& arena);

}  // namespace sigwhy::capture
