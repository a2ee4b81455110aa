"""What a program's `needs:` line asks of the machine, each word one check.

Unmet needs skip the program, with the reason; they never fail it.
"""

import functools
import os
import shutil
import subprocess

from stage import memory_limit, task_limit

from . import extensions, frameworks


def unmet(program, setup):
    """The first need this machine does not meet, in words, or nothing."""
    wanted = program.needs + (("python",) if program.is_python else ())
    wanted += ("cgroup",) if program.memory_mib else ()
    wanted += ("task-group",) if program.tasks else ()
    for need in wanted:
        if need == "long" and not setup.long:
            return "only with --long"
        if need != "long" and (reason := reason_against(need, setup.python)):
            return reason
    return ""


@functools.lru_cache(maxsize=None)
def reason_against(need, python):
    kind, _, detail = need.partition(":")
    if kind == "root":
        return "" if os.geteuid() == 0 else "needs root"
    if kind == "python":
        return "" if shutil.which(python) else f"needs {python}"
    if kind == "numpy":
        return "" if imports(python, "numpy") else "needs NumPy"
    if kind in frameworks.NAMES:
        return "" if frameworks.python_with(kind) else f"needs {kind}"
    if kind in extensions.NAMES:
        return extensions.reason_against(kind)
    if kind == "cgroup":
        return "" if memory_limit.can_be_made() else "needs a memory control group"
    if kind == "task-group":
        return "" if task_limit.can_be_made() else "needs a control group of threads"
    if kind == "map-limit":
        return "" if most_mappings() < 100_000 else "a process may have too many mappings"
    if kind == "pty":
        return "" if os.path.exists("/dev/ptmx") else "needs terminals"
    if kind == "cpu-without":
        return f"the CPU has {detail}" if detail in cpu_flags() else ""
    return f"unknown need {need!r}"


def imports(python, module):
    done = subprocess.run([python, "-c", f"import {module}"],
                          capture_output=True)
    return done.returncode == 0


def most_mappings():
    with open("/proc/sys/vm/max_map_count") as file:
        return int(file.read())


@functools.lru_cache(maxsize=None)
def cpu_flags():
    with open("/proc/cpuinfo") as lines:
        for line in lines:
            if line.startswith("flags"):
                return frozenset(line.split(":", 1)[1].split())
    return frozenset()
