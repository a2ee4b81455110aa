"""What extension modules are compiled with, and by which interpreter's word."""

import shutil
from pathlib import Path

from stage import flags

from . import frameworks

NAMES = ("pybind11", "cython")


def expanded(words, python):
    """The words, with `{numpy}` and the like replaced."""
    def ask(name):
        return flags.asked(name, frameworks.python_with(name) if name in frameworks.NAMES else python)
    return flags.expanded(words, ask)


def cython():
    return shutil.which("cython3") or shutil.which("cython")


def reason_against(name):
    if name == "cython":
        return "" if cython() else "needs Cython"
    headers = Path("/usr/include/pybind11/numpy.h")
    return "" if headers.exists() else "needs pybind11's headers"
