// Our processes and threads count against the same limits as the program's: RLIMIT_NPROC of the user and pids.max of
// each control group from the program's own outwards. Where these allow only a handful, each one we take may be the
// one that the program cannot fork.
#pragma once

namespace sigwhy::capture {

bool may_have_many_processes();

}  // namespace sigwhy::capture
