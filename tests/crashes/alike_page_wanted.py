# expect: none
# looks-like: corrupt-input
# ends: exit 1
#
# A page that is read as one, and an error that has nothing to do with it.
with open("page.html", "w") as file:
    file.write("<!DOCTYPE html><html><body>Sign in to go on</body></html>")
words = {word: len(word) for word in open("page.html").read().split()}
print(words["missing"], open("page.html"))
