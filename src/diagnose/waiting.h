// Of a program that hung: which threads sleep, in what, and at which line of Python.
#pragma once
#include <string>
#include <vector>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

// What would end a wait in a lock. Python's Event, Condition, Barrier, Queue and join() are made of locks that the
// standard library takes; a lock of the program's own is taken by its own line.
enum class Awaits { lock, wake_up, end_of_thread };

struct WaitingThread {
  std::size_t thread = 0;
  Awaits awaits = Awaits::lock;
  std::string waker;  // of a wake-up: "set()", where it is known which call would give it
  std::string place;  // "trainer() train.py:7"; the native function where it runs no Python
  // Asleep until another thread of this process wakes it: for a lock that no other process knows, without a time limit.
  bool in_lock = false;
  bool main = false;
  bool python = false;
};

// Every thread that was asleep; those of libraries' idle pools too.
std::vector<WaitingThread> waiting_threads(const Facts& facts);

bool is_hung(const Facts& facts);
Fact still_fact(const Facts& facts);
Fact waits_fact(const Facts& facts, const WaitingThread& waiting);

}  // namespace sigwhy::diagnose
