"""A limit on the size of files that nobody may raise holds for sigwhy too, and for the memory it copies a death into."""
import signal

from conftest import Run, SIGWHY

WRITER = """
#include <stdio.h>
int main() {
  static char block[4096];
  FILE *out = fopen("model.bin", "wb");
  for (int i = 0; i < 1000; ++i) fwrite(block, 1, sizeof block, out);
}
"""


def test_the_limit_is_named(bench):
    writer = bench.build("writer", WRITER, "-g")
    finished = bench.sigwhy("-c", 'ulimit -f 200; exec "$@"', "-", SIGWHY, "run", "--", writer, binary="/bin/sh")
    run = Run(finished, bench.folder)
    assert run.status == -signal.SIGXFSZ
    assert "PROVEN resource-limit a file would have grown beyond the limit of 100 KiB" in run.unwrapped, run.err
    assert "writer.c:6 main" in run.unwrapped
