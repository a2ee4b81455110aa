# expect: none|unknown|python-exception strong
# looks-like: time-limit
# ends: exit 124
#
# The number that timeout(1) uses, of a program that uses it for something else.
# It ended its child by a signal, and has no timer.
import subprocess
import sys

child = subprocess.Popen(["sleep", "60"])
child.kill()
child.wait()
sys.exit(124)
