# expect: stack-smashed strong
# not: python-fatal-error failed-check gil-not-held heap-corruption
# ends: SIGABRT
# run: {lib}
# lib-build: -O2 -fstack-protector-all
# says: tokenise
#
# Python hands a long string to a library function with a short local array.
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
print(lib.tokenise(b"short"))
print(lib.tokenise(b"a word that is longer than the room it was given" * 2))
