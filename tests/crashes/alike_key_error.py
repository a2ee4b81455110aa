# expect: none
# ends: exit 1
#
# A traceback that says all there is.
{}["lr"]
