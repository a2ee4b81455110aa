"""Where cases come from, one file each: TITLE, `cases()`, and `absent()`, which
says why there are none on this machine."""

import functools
import subprocess


@functools.lru_cache(maxsize=None)
def version_of(python):
    """Major and minor, by asking the interpreter; None where there is none."""
    code = "import sys; print('%d %d' % sys.version_info[:2])"
    try:
        said = subprocess.run([python, "-c", code], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return tuple(map(int, said.stdout.split()))
