# expect: none
# looks-like: memory-leak
# ends: exit 0
# memory: 300
#
# The same log, written out every thousand steps.
log = []
for step in range(300000):
    log.append({"step": step, "loss": step * 0.5, "tag": str(step)})
    if len(log) == 1000:
        log.clear()
