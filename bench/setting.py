"""Where the measurements are made: the machine, the programs, TensorFlow."""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / "lab"))
from stage.environments import environment  # noqa: E402

RAW = ROOT / "build/bench"
TENSORFLOW = "tensorflow-cpu==2.21.0"


def machine():
    cpuinfo = Path("/proc/cpuinfo").read_text()
    meminfo = Path("/proc/meminfo").read_text()
    model = re.search(r"model name\s*: (.*)", cpuinfo)
    memory_gib = int(re.search(r"MemTotal:\s*(\d+)", meminfo).group(1)) >> 20
    return (f"{os.cpu_count()} CPUs ({model.group(1) if model else 'unknown'}),"
            f" {memory_gib} GiB, Linux {platform.release().split('-')[0]},"
            f" load average {os.getloadavg()[0]:.1f} at the start")


def compiled(name, *flags):
    """bench/programs/NAME.c or .cpp as a program below build/bench."""
    RAW.mkdir(parents=True, exist_ok=True)
    product = RAW / (name + "".join(flags))
    source = HERE / "programs" / f"{name}.cpp"
    compiler = ["g++", "-std=c++20"]
    if not source.exists():
        source, compiler = source.with_suffix(".c"), ["gcc"]
    subprocess.run([*compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-pthread",
                    *flags, source, "-o", product], check=True)
    return str(product)


def tensorflow_python():
    """A Python with TensorFlow, pystack and py-spy: BENCH_TF_PYTHON, or one
    made once in the user's cache. None where pip cannot get them."""
    if "BENCH_TF_PYTHON" in os.environ:
        return os.environ["BENCH_TF_PYTHON"]
    return environment("tensorflow", [TENSORFLOW, "pystack", "py-spy"],
                       ["tensorflow", "pystack"], ["py-spy"])


def torch_python():
    """A Python with torch where somebody installed one: SIGWHY_TORCH_PYTHON,
    or Debian's. None otherwise: the wheel is too large to be fetched."""
    python = os.environ.get("SIGWHY_TORCH_PYTHON", "/usr/bin/python3")
    done = subprocess.run([python, "-c", "import torch"], capture_output=True)
    return python if done.returncode == 0 else None
