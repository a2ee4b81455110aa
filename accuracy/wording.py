"""The words of docs/accuracy.md that do not depend on numbers."""

INTRODUCTION = """\
# How often sigwhy is right

Written by `make accuracy`. Every program here has a known right answer; each is
run under sigwhy as it is by default, once, without re-runs (`sigwhy confirm`
could turn some of the strong verdicts into proven ones), and under what an
engineer would use otherwise.

{headline}
"""

HOW_COUNTED = """\
## How it is counted

- **right**: the answer names a cause that the case accepts. Where nothing is
  wrong, or nobody could know, saying nothing is right.
- **shallow**: true, but it stops above the cause: the signal, or the place.
- **unknown**: it says nothing, or that it does not know.
- **wrong**: it names a cause that it was not.
- **cannot be used**: faulthandler and pystack on what is not Python, or on a
  Python they do not know; CASR on a hang; what this machine cannot stage.

`unknown` counts as unknown even where a program's own test allows it beside a cause.

sigwhy answers with a cause id and is held to it. Where it stays silent because
the program's own traceback says it, the id it keeps in the case counts; a wrong
id counts against it, silent or not. The others answer with text,
which is read in their favour:

- What the program said itself counts for everyone: `double free or corruption`,
  `Check failed`, `terminate called`, a traceback. A message is right if an
  engineer who reads it could name the cause, and never wrong. An exception is
  right where its message names the cause; that it was an exception is right
  where no more was to be found.
- A signal whose name nearly tells it counts as right: SIGFPE for a division by
  zero, SIGILL for an unsupported instruction, SIGTRAP for a deliberate trap,
  SIGXCPU and SIGALRM for a time limit, SIGTERM for being killed. "Segmentation
  fault", "Aborted" and "Killed" name no cause: shallow.
- gdb (`run`, the fault address, `thread apply all bt`) and pystack (`core
  --native-all --locals`) name no cause themselves. A fault address in the first
  64 KiB counts as if they had said "null pointer".
- CASR (`casr-gdb` where a signal ends it, `casr-python` on a traceback) has
  classes. "Near NULL" counts for a null pointer and, on a branch, for a bad
  jump; HeapError for heap corruption and an invalid free; StackGuard for a
  smashed stack; FPE, BadInstruction and TrapSignal as the signals above. All of
  these hedge and are never counted wrong. StackOverflow is a cause: it is right
  or wrong.
- A hang: faulthandler is sent SIGABRT, gdb and pystack look at the living
  process. Where the threads stand is shallow.

*The program alone* is the run with nothing around it: its last words and the
shell's name for the signal. The distance from there is what a tool adds.
"""
