# expect: none
# looks-like: killed-by-process
# ends: exit 0
#
# The program ends its own worker with SIGTERM when the work is done, as every
# pool does, and leaves with 0.
import subprocess
import sys

worker = subprocess.Popen([sys.executable, "-c",
                           "print('ready', flush=True); input()"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)
worker.stdout.readline()
worker.terminate()
worker.wait()
