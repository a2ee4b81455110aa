"""Changes every folder that it is given in every way it knows, and says which ways worked there."""
import mmap
import os
import shutil
import sys


def ways(folder):
    path = lambda name: os.path.join(folder, name)

    def new():
        open(path("new"), "w").write("new")

    def append():
        open(path("appended"), "a").write("more")

    def truncate():
        os.truncate(path("truncated"), 3)

    def unlink():
        os.unlink(path("unlinked"))

    def rename_over():
        open(path("temporary"), "w").write("other")
        os.rename(path("temporary"), path("renamed-over"))

    def mode():
        os.chmod(path("mode"), 0o600)

    def times():
        os.utime(path("times"), (1, 1))

    def mapped():
        with open(path("mapped"), "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
            memory[0:4] = b"XXXX"
            memory.flush()

    def hard_link():
        os.link(path("linked"), path("second-name"))
        open(path("second-name"), "a").write("through the second name")

    def through_link():
        open(path("link"), "a").write("through the link")

    def attribute():
        os.setxattr(path("attribute"), "user.test", b"changed")

    def folder_gone():
        shutil.rmtree(path("folder"))

    def hole():
        with open(path("hole"), "r+b") as file:
            file.seek(1 << 20)
            file.write(b"end")

    return [new, append, truncate, unlink, rename_over, mode, times, mapped, hard_link, through_link, attribute,
            folder_gone, hole]


for folder in sys.argv[1:]:
    for way in ways(folder):
        try:
            way()
            print("done", way.__name__, folder)
        except OSError as error:
            print("failed", way.__name__, folder, error)
