# expect: none
# looks-like: python-exception
# ends: exit 2
#
# argparse leaves from inside an except block: a decision, no failure.
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--n", type=int)
parser.parse_args(["--n", "many"])
