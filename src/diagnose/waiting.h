// Of a program that hung: which threads sleep, in what, and at which line of Python.
#pragma once
#include <string>
#include <vector>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct WaitingThread {
  std::size_t thread = 0;
  std::string place;  // "trainer() train.py:7"; the native function where it runs no Python
  bool in_lock = false;  // asleep until another thread wakes it
  bool main = false;
  bool python = false;
};

// Every thread that was asleep; those of libraries' idle pools too.
std::vector<WaitingThread> waiting_threads(const Facts& facts);

bool is_hung(const Facts& facts);
Fact still_fact(const Facts& facts);
Fact waits_fact(const Facts& facts, const WaitingThread& waiting);

}  // namespace sigwhy::diagnose
