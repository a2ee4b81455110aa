# expect: none
# looks-like: gpu-out-of-memory
# ends: exit 1
#
# A program that plans its memory refuses by itself; no GPU was asked.


def plan(batch, budget_gib=24):
    need_gib = batch * 0.5
    if need_gib > budget_gib:
        raise RuntimeError(f"CUDA out of memory. Tried to allocate {need_gib} "
                           f"GiB; {budget_gib} GiB free")


plan(64)
