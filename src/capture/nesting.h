// A sigwhy below a sigwhy: a process has one tracer at most, and the outer one sees the whole tree already, so the
// inner one steps aside and just becomes the program.
#pragma once

namespace sigwhy::capture {

bool below_another_sigwhy();

}  // namespace sigwhy::capture
