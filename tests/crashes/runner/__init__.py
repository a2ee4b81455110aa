"""Builds, runs and judges the crash programs; run.py is the command line."""

import sys
from pathlib import Path

# environments and memory limits are made as the lab makes them
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "lab"))
