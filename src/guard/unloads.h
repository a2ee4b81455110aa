// Libraries that were unloaded. Their addresses are given out again, and a call recorded before would then be taken
// for one from whatever lies there at the end.
#pragma once
#include "guard/raw.h"

namespace sigwhy::guard {

// Around a dlclose: what is gone when it is over is noted in the header.
class Unloading {
 public:
  Unloading();
  ~Unloading();
  Unloading(const Unloading&) = delete;
  Unloading& operator=(const Unloading&) = delete;

 private:
  u64 before_ = 0;  // a list of its own pages: 0 where there was no room
};

}  // namespace sigwhy::guard
