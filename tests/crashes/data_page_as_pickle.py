# expect: corrupt-input proven
# not: python-exception
# ends: exit 1
# says: model\.pkl is broken: it is an HTML page
#
# What a download that went wrong left in the file's place. The reader speaks of
# a load key.
import pickle

with open("model.pkl", "w") as file:
    file.write("<!DOCTYPE html><html><body>Sign in to go on</body></html>")
pickle.load(open("model.pkl", "rb"))
