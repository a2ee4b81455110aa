"""Builds, runs and judges the crash programs; run.py is the command line."""
