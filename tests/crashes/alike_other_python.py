# expect: none
# looks-like: abi-mismatch
# ends: exit 1
#
# Another module lies there for another Python; the one that is missing does not.
import os
import sys

os.mkdir("resize")
with open("resize/__init__.py", "w") as file:
    file.write("from . import _fast\n")
open("resize/_faster.cpython-399-x86_64-linux-gnu.so", "w").close()
sys.path.insert(0, os.getcwd())
import resize
