# expect: corrupt-input strong
# not: python-exception
# ends: exit 1
# says: model\.pkl is broken: the file is empty
#
# The writer died before its first byte. "Ran out of input" says so, of which
# file it does not.
import pickle

path = "model.pkl"
open(path, "w").close()
pickle.load(open(path, "rb"))
