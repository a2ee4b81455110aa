# expect: file-contention proven
# not: python-exception
# ends: exit 1
#
# A program is run while it is still open for writing.
import os
import subprocess
import sys

tool = open("tool", "wb")
tool.write(open("/bin/true", "rb").read())
tool.flush()
os.chmod("tool", 0o755)
try:
    subprocess.run(["./tool"])
except OSError:
    sys.exit("cannot go on")
