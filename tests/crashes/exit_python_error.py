# expect: none
# looks-like: python-fatal-error
# ends: exit 1
#
# A KeyError with its traceback says all there is to say.
settings = {"depth": 3}
print(settings["width"])
