// Which namespaces a layer gets, and why not where the kernel or a container refuses them.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"

namespace sigwhy::experiment {

struct Namespaces {
  bool user = false;  // an ordinary user's way to the others
  bool mount = true;
  bool pid = true;    // refused where parts of /proc are masked: a fresh /proc would show them
  bool network = true;

  int clone_flags() const;
};

// Best first, for who this process is.
std::vector<Namespaces> namespaces_to_try(bool network_off);

// The same user and group inside as outside; nobody else has a number there.
Result<void> map_own_user(unsigned user, unsigned group);

void bring_loopback_up();

void give_up_the_machine();

// Why clone() with these failed, with what can be done.
Error why_refused(const Namespaces& wanted, int error);

}  // namespace sigwhy::experiment
