# expect: time-limit strong
# not: killed-by-process killed-by-user
# ends: SIGXCPU
#
# The script limits its own CPU time and loops over a list.
import resource

resource.setrlimit(resource.RLIMIT_CPU, (1, 60))


def collatz(n):
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1


for start in range(1, 100_000_000):
    collatz(start)
