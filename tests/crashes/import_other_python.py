# expect: abi-mismatch strong
# at-most: strong
# not: python-exception
# ends: exit 1
# says: _fast\.cpython-399-x86_64-linux-gnu\.so was\s+built for Python 3\.99
#
# A package that was installed for another Python: its compiled module lies
# there, and for this interpreter there is none of that name.
import os
import sys

os.mkdir("resize")
with open("resize/__init__.py", "w") as file:
    file.write("from . import _fast\n")
open("resize/_fast.cpython-399-x86_64-linux-gnu.so", "w").close()
sys.path.insert(0, os.getcwd())
import resize
