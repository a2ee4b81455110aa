"""Holds MIB mebibytes of arrays in `history` and 100,000 small objects in
`records`; then is killed, or, with "end", ends."""
import os
import signal
import sys

import numpy as np


def grow(mib):
    history = []
    for _ in range(mib // 4):
        history.append(np.ones((1024, 1024), np.float32))
    records = [{"step": i, "loss": float(i), "name": f"step {i}"}
               for i in range(25_000)]
    print("ready", flush=True)
    sys.stdin.readline()
    if sys.argv[2:] != ["end"]:
        os.kill(os.getpid(), signal.SIGKILL)
    return history, records


grow(int(sys.argv[1]))
