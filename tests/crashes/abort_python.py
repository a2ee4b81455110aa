# expect: failed-check|unknown weak
# looks-like: python-fatal-error
# not: gil-not-held heap-corruption
# ends: SIGABRT
#
# os.abort(): the interpreter is sound and has said nothing of a fatal error.
import os


def stop_now():
    os.abort()


stop_now()
