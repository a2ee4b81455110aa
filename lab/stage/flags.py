"""What extensions are compiled with: Python, NumPy, TensorFlow and torch, each asked for its own flags."""
import functools
import os
import subprocess

PYTHON = "import sysconfig; print('-I' + sysconfig.get_paths()['include'])"
ASK = {
    "python": PYTHON,
    "numpy": PYTHON + "; import numpy; print('-I' + numpy.get_include())",
    "pybind11": PYTHON,
    "tensorflow": "import tensorflow as tf; print(*(tf.sysconfig.get_compile_flags()"
                  " + tf.sysconfig.get_link_flags()))",
    "torch": PYTHON + "; import torch; from torch.utils import cpp_extension as e;"
             " print('-std=c++17', *['-I' + p for p in e.include_paths()],"
             " *['-L' + p for p in e.library_paths()],"
             " '-D_GLIBCXX_USE_CXX11_ABI=%d' % torch._C._GLIBCXX_USE_CXX11_ABI,"
             " '-ltorch', '-ltorch_cpu', '-lc10')",
}


@functools.lru_cache(maxsize=None)
def asked(name, python):
    done = subprocess.run([python, "-c", "from __future__ import print_function; " + ASK[name]], capture_output=True,
                          text=True, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}, check=True)
    return tuple(done.stdout.split())


@functools.lru_cache(maxsize=None)
def identity(name, python):
    """What a build depends on. TensorFlow's headers are the same for every Python: its version tells."""
    if name != "tensorflow":
        return asked(name, python)
    code = "import tensorflow; print(tensorflow.__version__)"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return tuple(done.stdout.split())


def expanded(words, ask):
    """The words, with `{numpy}` and the like replaced by what `ask` says of them."""
    found = []
    for word in words:
        name = word.strip("{}")
        found += ask(name) if word == f"{{{name}}}" and name in ASK else [word]
    return tuple(found)
