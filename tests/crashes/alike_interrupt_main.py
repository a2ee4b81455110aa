# expect: none|python-exception strong
# looks-like: killed-by-user killed-by-process
# ends: SIGINT
#
# A thread interrupts the main one: KeyboardInterrupt without any SIGINT. A timer
# ticks all the while, so that the last signal it handled is another.
import _thread
import signal
import threading
import time

signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
threading.Timer(0.2, _thread.interrupt_main).start()
try:
    while True:
        time.sleep(0.1)
finally:
    signal.setitimer(signal.ITIMER_REAL, 0)
