#!/usr/bin/env python3
"""dist.py BUILD OUT   packs the built programs into one self-contained tarball.

    bin/sigwhy                the front: static, needs a kernel and nothing else
    lib/sigwhy/               sigwhy-develop, every library it loads, and the
                              loader that belongs to them; the front starts it
                              by that loader, so the host's libc is never asked;
                              and libsigwhy_guard.so, which is preloaded into
                              programs and needs any glibc since 2.17; and the
                              demonstrations and the lab
    share/                    man page, completion, licences

Two runs over the same programs give the same bytes: entries are sorted, owned
by nobody in particular and dated by SOURCE_DATE_EPOCH.
"""

import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# 2026-11-01; any fixed date will do, but zip knows none before 1980
EPOCH_S = int(os.environ.get("SOURCE_DATE_EPOCH", 1793491200))
LOADER = "ld-linux-x86-64.so.2"
COMPILED_IN = ("libcli11-dev", "rapidjson-dev", "libtomlplusplus-dev")


def main():
    build, out = (Path(word) for word in sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    name = f"sigwhy-{version()}-linux-x86_64"
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / name
        lay_out(build, tree)
        target = out / f"{name}.tar.gz"
        pack(tree, target)
        size_mib = target.stat().st_size / (1 << 20)
        print(f"{target}: {size_mib:.1f} MiB")


def version():
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"project\(sigwhy VERSION ([\d.]+)", text).group(1)


def lay_out(build, tree):
    lib = tree / "lib/sigwhy"
    place(build / "sigwhy", tree / "bin/sigwhy", 0o755)
    place(build / "sigwhy-develop", lib / "sigwhy-develop", 0o755)
    for library in libraries_of(build / "sigwhy-develop"):
        place(library, lib / library.name, 0o755)
        place_licence(owner_of(library), tree)
    place(build / "libsigwhy_guard.so", lib / "libsigwhy_guard.so", 0o755)
    for package in COMPILED_IN:
        place_licence(package, tree)
    for program in (tree / "bin/sigwhy", *lib.iterdir()):
        subprocess.run(["strip", "--strip-unneeded", program], check=True)
    # The demonstrations keep their debug information, and their sources lie beside them: their reports show both.
    for program in sorted((build / "demo").glob("*")):
        mode = 0o755 if os.access(program, os.X_OK) else 0o644
        place(program, lib / "demo" / program.name, mode)
    for path in sorted((ROOT / "lab").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            place(path, lib / path.relative_to(ROOT), 0o755 if os.access(path, os.X_OK) else 0o644)
    for name in ("LICENSE", "NOTICE", "README.md"):
        place(ROOT / name, tree / "share/doc/sigwhy" / name, 0o644)
    printed(build, ["man"], tree / "share/man/man1/sigwhy.1")
    printed(build, ["completion", "bash"],
            tree / "share/bash-completion/completions/sigwhy")


def printed(build, command, target):
    """What the program says of itself, kept as a file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with open(target, "wb") as out:
        subprocess.run([build / "sigwhy-develop", *command], check=True,
                       stdout=out)
    target.chmod(0o644)


def place(source, target, mode):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)


def libraries_of(program):
    """Every file the loader maps for `program`, and the loader itself."""
    lines = subprocess.run(["ldd", program], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    found = []
    for line in lines:
        if "not found" in line:
            sys.exit(f"{program}: {line.strip()}")
        match = re.search(r"(?:=> )?(/\S+) \(0x", line)
        if match:
            found.append(Path(match.group(1)))
    if LOADER not in [path.name for path in found]:
        sys.exit(f"{program} names no loader {LOADER}")
    return found


def owner_of(library):
    """The package that a library comes from."""
    # The database may know a file by its name before or after /lib became /usr/lib.
    for path in (library, library.resolve(),
                 Path(str(library.resolve()).replace("/usr/lib", "/lib", 1))):
        found = subprocess.run(["dpkg-query", "-S", path], text=True,
                               capture_output=True).stdout
        if found:
            return found.split(":")[0]
    sys.exit(f"no package owns {library}: its licence is not known")


def place_licence(package, tree):
    place(Path(f"/usr/share/doc/{package}/copyright"),
          tree / "share/doc/sigwhy/licences" / package, 0o644)


def pack(tree, target):
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w",
                      format=tarfile.USTAR_FORMAT) as tar:
        for path in [tree, *sorted(tree.rglob("*"))]:
            entry = tar.gettarinfo(path, path.relative_to(tree.parent))
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = EPOCH_S
            entry.mode = 0o755 if entry.mode & 0o111 else 0o644
            with open(path, "rb") if path.is_file() else io.BytesIO() as data:
                tar.addfile(entry, data)
    with open(target, "wb") as raw, gzip.GzipFile(
            "", "wb", 9, raw, mtime=EPOCH_S) as packed:
        packed.write(plain.getvalue())


if __name__ == "__main__":
    main()
