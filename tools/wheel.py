#!/usr/bin/env python3
"""wheel.py TARBALL OUT   the same tree as a wheel, for pip.

There is no Python in it: bin/sigwhy travels as the wheel's script, so that the
static front itself stands on the path, and the rest as the wheel's data, which
pip unpacks below the same prefix; the front finds it as ../lib/sigwhy.

The tag is plain linux_x86_64, not manylinux: the program brings its own libc,
so it also runs where a manylinux tag would be refused (an old glibc, musl).
"""

import base64
import hashlib
import re
import sys
import tarfile
import time
import zipfile
from pathlib import Path

TAG = "py2.py3-none-linux_x86_64"

METADATA = """\
Metadata-Version: 2.1
Name: sigwhy
Version: {version}
Summary: Says why a program died: the cause, the evidence, the fix
License: Apache-2.0
Classifier: Environment :: Console
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Software Development :: Debuggers
Requires-Python: >=2.7
Description-Content-Type: text/markdown

{readme}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: sigwhy tools/wheel.py
Root-Is-Purelib: false
Tag: py2-none-linux_x86_64
Tag: py3-none-linux_x86_64
"""


def main():
    tarball, out = (Path(word) for word in sys.argv[1:3])
    version = re.match(r"sigwhy-([\d.]+)-", tarball.name).group(1)
    target = out / f"sigwhy-{version}-{TAG}.whl"
    with tarfile.open(tarball) as tar:
        write_wheel(target, version, tar)
    print(f"{target}: {target.stat().st_size / (1 << 20):.1f} MiB")


def write_wheel(target, version, tar):
    info = f"sigwhy-{version}.dist-info"
    date = time.gmtime(max(member.mtime for member in tar))[:6]
    record = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(name, data, mode=0o644):
            entry = zipfile.ZipInfo(name, date)
            # pip takes the execute permission of data files from here
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
            record.append(f"{name},sha256={digest.decode().rstrip('=')},"
                          f"{len(data)}")

        readme = ""
        for member in sorted(filter(tarfile.TarInfo.isfile, tar),
                             key=lambda m: m.name):
            data = tar.extractfile(member).read()
            path = member.name.split("/", 1)[1]
            add(wheel_place(version, path), data, member.mode)
            if path.endswith("README.md"):
                readme = data.decode()
        add(f"{info}/METADATA",
            METADATA.format(version=version, readme=readme).encode())
        add(f"{info}/WHEEL", WHEEL.encode())
        record.append(f"{info}/RECORD,,")
        wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD", date),
                       "\n".join(record) + "\n")


def wheel_place(version, path):
    if path.startswith("bin/"):
        return f"sigwhy-{version}.data/scripts/{path[4:]}"
    return f"sigwhy-{version}.data/data/{path}"


if __name__ == "__main__":
    main()
