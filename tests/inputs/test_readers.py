"""`sigwhy verify` stands by what the formats' own readers do with damaged files."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))
from stage.environments import environment  # noqa: E402

HERE = Path(__file__).resolve().parent
SIGWHY = Path(os.environ.get("SIGWHY_BIN", HERE.parent.parent / "build/sigwhy"))


@pytest.mark.long
def test_what_kills_or_fails_a_reader_is_found():
    python = environment("tensorflow", ["tensorflow-cpu"], ["tensorflow", "h5py"])
    if not python:
        pytest.skip("TensorFlow cannot be installed here")
    run = subprocess.run([python, HERE / "against_readers.py", SIGWHY, HERE / "samples"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
