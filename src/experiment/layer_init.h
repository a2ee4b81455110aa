// The first process of a layer. In a PID namespace its end is the end of everything in there; where there is none it
// adopts what loses its parent, and kills it. It starts the program, reaps, and tells how the program ended.
#pragma once
#include <cstdint>

#include "experiment/layer.h"
#include "experiment/namespaces.h"
#include "experiment/new_root.h"

namespace sigwhy::experiment {

struct InitPlan {
  const LayerRun& run;
  Namespaces namespaces;
  NewRoot root;
  bool only_try = false;  // set up, then leave
  unsigned user_id = 0, group_id = 0;  // outside
  int go = -1;      // read: one byte, and it may begin
  int say = -1;     // write: one Said
  int output = -1;  // the program's stdout and stderr
  int group = -1;   // the door of its memory group: the program enters, its init does not
};

// What the init tells, each in one write.
struct Said {
  enum Kind { ready, refused, ended } kind = ready;
  int wait_status = 0;              // of ended
  std::int64_t most_resident_kib = 0;
  bool full = false;                // a layer in memory has no room left
  char what[200] = "", cause[300] = "";  // of refused
  char read_only[300] = "";              // of ready: places that could not be overlaid
};

[[noreturn]] void layer_init(const InitPlan& plan);

}  // namespace sigwhy::experiment
