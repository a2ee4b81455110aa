"""What lab programs are put on: an interpreter, a memory limit, a built op; run.py is the command line."""
