"""Python's own ways to have children: multiprocessing by METHOD (fork, spawn,
forkserver) and subprocess; tells the results in order. One worker aborts; the
program takes note of it and ends well."""

import multiprocessing
import subprocess
import sys


def square(number):
    return number * number


def crash():
    import os
    os.abort()


if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    with context.Pool(3) as pool:
        print(sum(pool.map(square, range(200))))
    worker = context.Process(target=crash)
    worker.start()
    worker.join()
    print("worker's exit code", worker.exitcode)
    print(subprocess.run(["sh", "-c", "exit 3"]).returncode,
          subprocess.check_output(["echo", "said"]))
    try:
        subprocess.run(["sleep", "100"], timeout=0.05)
    except subprocess.TimeoutExpired:
        print("timed out")
