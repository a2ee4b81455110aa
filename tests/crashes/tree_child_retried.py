# expect: none
# looks-like: deliberate-trap failed-check
# ends: exit 0
#
# A worker aborts at its first try; the second try works and the program ends
# with 0.
import subprocess
import sys

attempts = 0
while True:
    code = "import os; os.abort()" if attempts == 0 else "pass"
    if subprocess.run([sys.executable, "-c", code]).returncode == 0:
        break
    attempts += 1
