"""Every run places its blocks differently and fills with other bytes, unless it is given the seed of another."""
from runs import built, run, stopped


def told(program, mode, seed=None):
    return run([built(program)], mode, extra={"SIGWHY_GUARD_SEED": str(seed)} if seed is not None else None).stdout


def test_places_follow_the_seed():
    for mode in ("all", "before", "all,protection"):
        assert told("lies.c", mode, 7) == told("lies.c", mode, 7)
        assert len({told("lies.c", mode, seed) for seed in range(5)} | {told("lies.c", mode)}) == 6


def fills(seed):
    with stopped([built("wrong.c"), "abort"], "all", extra={"SIGWHY_GUARD_SEED": str(seed)}) as found:
        header = found.tables.header
        assert header.seed == seed and header.fill_byte != header.freed_fill_byte
        return header.fill_byte, header.freed_fill_byte


def test_fill_bytes_follow_the_seed():
    assert fills(3) == fills(3)
    assert len({fills(seed) for seed in range(8)}) >= 7


def test_bounded():
    """Blocks far apart cost addresses, no mappings."""
    with stopped([built("wrong.c"), "many"], "all") as found:
        assert sum(1 for _ in open(f"/proc/{found.pid}/maps")) < 65530 * 0.65
        sizes = dict(line.split(":") for line in open(f"/proc/{found.pid}/status"))
        assert int(sizes["VmPTE"].split()[0]) < 200 << 10
    with stopped([built("wrong.c"), "abort"], "sampled") as found:
        sizes = dict(line.split(":") for line in open(f"/proc/{found.pid}/status"))
        assert int(sizes["VmSize"].split()[0]) < 8 << 20


def test_unloaded_libraries_are_told():
    library = built("unloaded.c", "-shared", "-fPIC")
    with stopped([built("unloads.c", "-Wl,--no-as-needed", "-ldl"), library], "all") as found:
        header = found.tables.header
        block = next(b for b in found.tables.blocks() if b.mapping <= found.address < b.mapping + b.mapping_bytes)
        made_in = found.tables.context(block.allocated_context)
        assert header.unloaded_count == 1 and made_in.unloaded_count == 0
        gone = header.unloaded[0]
        assert gone.number == 0 and gone.start <= made_in.pc < gone.end
