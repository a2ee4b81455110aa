"""Programs under the preloaded guard: run to their end, or stopped where they die with the guard's tables at hand."""
import contextlib
import ctypes
import functools
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from wire import Tables

HERE = Path(__file__).resolve().parent
GUARD = Path(os.environ.get("SIGWHY_GUARD_LIBRARY", HERE.parent.parent / "build/libsigwhy_guard.so"))
MODES = ("all", "before", "sampled", "all,protection")
ALL_MODES = ("all", "before", "all,protection")

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
TRACEME, CONT, SETOPTIONS, GETEVENTMSG, GETSIGINFO = 0, 7, 0x4200, 0x4201, 0x4202
TRACE_EXIT, EXIT_EVENT = 0x40, 6


@functools.cache
def shelf():
    folder = Path(tempfile.mkdtemp(prefix="guard-programs-"))
    return folder


def clear_shelf():
    shutil.rmtree(shelf(), ignore_errors=True)


@functools.cache
def built(name, *flags):
    """programs/NAME, compiled once a session."""
    source = HERE / "programs" / name
    target = shelf() / (source.name.replace(".", "_") + "".join(flags).replace("/", "_"))
    compiler = "g++" if source.suffix == ".cpp" else "gcc"
    # -fno-builtin: calls of the allocator must not be optimised away
    subprocess.run([compiler, "-g", "-O1", "-fno-builtin", "-w", source, "-o", target, "-pthread", *flags], check=True)
    return target


def environment(mode, extra=None):
    values = dict(os.environ, **(extra or {}))
    if mode:
        before = values.get("LD_PRELOAD")
        values["LD_PRELOAD"] = f"{GUARD}:{before}" if before else str(GUARD)
        values["SIGWHY_GUARD"] = mode
    return values


def run(command, mode, extra=None, timeout_s=120, **options):
    command = [command] if isinstance(command, (str, Path)) else command
    return subprocess.run(command, env=environment(mode, extra), capture_output=True, text=True, timeout=timeout_s,
                          **options)


class Stopped:
    """A traced process at the signal that ends it, or (signal None) at its own end; its memory is still there."""

    def __init__(self, pid, number):
        self.pid, self.signal = pid, number
        self.address = fault_address(pid) if number else None
        self.status = None if number else end_status(pid)  # as wait will tell it
        self.tables = Tables(pid)


@contextlib.contextmanager
def stopped(command, mode, extra=None):
    """Runs until the first of the deadly signals, or to the end."""
    command = [str(word) for word in ([command] if isinstance(command, (str, Path)) else command)]
    child = subprocess.Popen(command, env=environment(mode, extra), stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, preexec_fn=lambda: LIBC.ptrace(TRACEME, 0, None, None))
    try:
        yield follow(child.pid)
    finally:
        child.kill()
        LIBC.ptrace(CONT, child.pid, None, None)  # a stop at its own end is not left for a signal
        child.wait()


def follow(pid):
    os.waitpid(pid, 0)  # at its exec
    LIBC.ptrace(SETOPTIONS, pid, None, TRACE_EXIT)
    number = None
    while True:
        LIBC.ptrace(CONT, pid, None, number)
        _, status = os.waitpid(pid, 0)
        number = os.WSTOPSIG(status)
        if status >> 16 == EXIT_EVENT:
            return Stopped(pid, None)
        if number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT):
            return Stopped(pid, number)


def end_status(pid):
    told = ctypes.c_ulong()
    LIBC.ptrace(GETEVENTMSG, pid, None, ctypes.addressof(told))
    return told.value


def fault_address(pid):
    info = (ctypes.c_uint64 * 16)()
    LIBC.ptrace(GETSIGINFO, pid, None, ctypes.addressof(info))
    return info[2]
