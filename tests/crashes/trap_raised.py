# expect: deliberate-trap proven
# not: killed-by-process
# ends: SIGTRAP
#
# A breakpoint that was meant for a debugger: the program sends SIGTRAP to itself.
import signal


def check_loss(loss):
    if loss != loss:
        signal.raise_signal(signal.SIGTRAP)


check_loss(float("nan"))
