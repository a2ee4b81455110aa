# expect: memory-leak strong
# ends: SIGKILL
# memory: 300
# says: STRONG memory-leak list `log` keeps growing
# says: grow_objects\.py:16
#
# No array anywhere: a log of small dictionaries, one a step.
import hashlib


def train():
    log = []
    state = b"seed"
    step = 0
    while True:
        log.append({"step": step, "loss": step * 0.5, "tag": str(step)})
        state = hashlib.sha256(state * 20).digest()
        step += 1


train()
