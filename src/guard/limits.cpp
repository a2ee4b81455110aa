// A program that limits its own addresses (resource.setrlimit(RLIMIT_AS, ...), the usual way to cap a script) does not
// reckon with what we have reserved: all but a little of that goes back first.
#include <errno.h>
#include <sys/resource.h>

#include "guard/region.h"
#include "guard/state.h"

using namespace sigwhy::guard;

namespace {

void make_room(int resource, const rlimit* wanted) {
  if (resource != RLIMIT_AS || !wanted || wanted->rlim_cur == RLIM_INFINITY || !guards()) return;
  shrink_region(wanted->rlim_cur / 64);
}

int as_the_c_library_says(long result) {
  if (!failed(result)) return 0;
  errno = static_cast<int>(-result);
  return -1;
}

int limit(pid_t process, int resource, const rlimit* wanted, rlimit* before) {
  if (process == 0 || static_cast<u32>(process) == raw_pid()) make_room(resource, wanted);
  return as_the_c_library_says(raw_call(SYS_prlimit64, process, resource, reinterpret_cast<long>(wanted), reinterpret_cast<long>(before)));
}

}  // namespace

// One and the same on this machine, whatever the width of the old names.
static_assert(sizeof(rlimit) == 16);
#define EXPORTED extern "C" [[gnu::visibility("default")]]
#pragma GCC diagnostic ignored "-Wmissing-declarations"
EXPORTED int own_setrlimit(int resource, const rlimit* wanted) asm("setrlimit");
EXPORTED int own_setrlimit64(int resource, const rlimit* wanted) asm("setrlimit64");
EXPORTED int own_prlimit(pid_t process, int resource, const rlimit* wanted, rlimit* before) asm("prlimit");
EXPORTED int own_prlimit64(pid_t process, int resource, const rlimit* wanted, rlimit* before) asm("prlimit64");

int own_setrlimit(int resource, const rlimit* wanted) { return limit(0, resource, wanted, nullptr); }
int own_setrlimit64(int resource, const rlimit* wanted) { return limit(0, resource, wanted, nullptr); }
int own_prlimit(pid_t process, int resource, const rlimit* wanted, rlimit* before) {
  return limit(process, resource, wanted, before);
}
int own_prlimit64(pid_t process, int resource, const rlimit* wanted, rlimit* before) {
  return limit(process, resource, wanted, before);
}
