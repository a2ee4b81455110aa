"""Interpreters that have TensorFlow or torch.

TensorFlow comes as a wheel into the user's cache. torch's wheel brings five
gigabytes of CUDA, so it is used only where somebody installed it: Debian's
python3-torch, or the interpreter that SIGWHY_TORCH_PYTHON names.
"""

import functools
import os
import subprocess

from stage.environments import environment

NAMES = ("tensorflow", "torch")


def python_for(program, usual):
    for name in NAMES:
        if name in program.needs:
            return python_with(name)
    return usual


@functools.lru_cache(maxsize=None)
def python_with(name):
    if name == "tensorflow":
        return environment("tensorflow", ["tensorflow-cpu"], ["tensorflow"])
    python = os.environ.get("SIGWHY_TORCH_PYTHON", "/usr/bin/python3")
    done = subprocess.run([python, "-c", "import torch"], capture_output=True)
    return python if done.returncode == 0 else None
