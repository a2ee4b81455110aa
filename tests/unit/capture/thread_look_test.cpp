// What a thread is doing, seen from outside: a child sleeps in one call or another.
#include "capture/thread_look.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/life_span.h"
#include "capture/system_calls.h"

namespace sigwhy::capture {

namespace {

class Child {
 public:
  explicit Child(void (*sleep)()) : pid_(fork()) {
    if (pid_ == 0) {
      sleep();
      _exit(0);
    }
  }
  ~Child() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;

  pid_t pid() const { return pid_; }
  ThreadLook asleep_in(int call) const {
    for (;;)
      if (const auto look = look_at(pid_, pid_); look.system_call == call) return look;
  }

 private:
  pid_t pid_;
};

void in_pause() { pause(); }
void in_epoll_wait() {
  epoll_event event;
  epoll_wait(epoll_create1(0), &event, 1, -1);
}
void in_read_of_a_pipe() {
  int ends[2];
  char byte;
  if (pipe(ends) == 0) [[maybe_unused]] const auto got = read(ends[0], &byte, 1);
}
void at_work() {
  for (volatile long n = 0;;) n = n + 1;
}

}  // namespace

TEST(ThreadLook, SleepingChildStandsStill) {
  const Child child(in_pause);
  child.asleep_in(SYS_pause);
  const auto look = look_at(child.pid(), child.pid());  // the first may have met it on its way to sleep
  EXPECT_EQ(look.doing, Doing::sleeps);
  EXPECT_NE(look.rsp, 0u);
  EXPECT_TRUE(look.same_sleep(look_at(child.pid(), child.pid())));
  EXPECT_FALSE(must_not_be_stopped(child.pid(), look));
}

TEST(ThreadLook, EpollWouldNotice) {
  const Child child(in_epoll_wait);
  EXPECT_TRUE(must_not_be_stopped(child.pid(), child.asleep_in(SYS_epoll_wait)));
}

TEST(ThreadLook, ReadingAPipeWouldNotNotice) {
  const Child child(in_read_of_a_pipe);
  EXPECT_FALSE(must_not_be_stopped(child.pid(), child.asleep_in(SYS_read)));
}

TEST(ThreadLook, OneAtWorkIsStoppedOnlyWhenSeenTwice) {
  const Child child(at_work);
  Watched thread;
  thread.look.tid = child.pid();
  while (thread.look.doing != Doing::works) thread.look_again(child.pid());
  EXPECT_FALSE(thread.may_be_stopped(false));
  EXPECT_TRUE(thread.may_be_stopped(true));
  thread.look_again(child.pid());
  EXPECT_TRUE(thread.may_be_stopped(false));
  thread.was_delicate = true;
  EXPECT_FALSE(thread.may_be_stopped(true));
}

TEST(ThreadLook, GoneThread) { EXPECT_EQ(look_at(1 << 23, 1 << 23).doing, Doing::gone); }

TEST(ThreadLook, ThreadPointerIsWherePthreadsKeepsIt) {
  EXPECT_EQ(thread_pointer(getpid(), gettid()), reinterpret_cast<std::uint64_t>(pthread_self()));
}

TEST(SystemCalls, NamesAndManners) {
  EXPECT_STREQ(system_call_name(SYS_epoll_wait), "epoll_wait");
  EXPECT_EQ(system_call_name(100'000), nullptr);
  EXPECT_TRUE(restarts_unnoticed(SYS_futex));
  EXPECT_FALSE(restarts_unnoticed(SYS_semtimedop));
  EXPECT_FALSE(restarts_unnoticed(100'000));
}

TEST(LifeSpan, OfThisProcess) {
  const auto life = life_span_of(getpid());
  EXPECT_GE(life.seconds, 0);
  EXPECT_LT(life.seconds, 3600);
  EXPECT_NEAR(static_cast<double>(life.started_unix_s), static_cast<double>(time(nullptr)) - life.seconds, 2);
}

}  // namespace sigwhy::capture
