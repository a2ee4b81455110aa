"""Running a command in another root file system, leaving no mount behind.

A private mount namespace takes the mounts with it when the command ends. An
ordinary user gets one inside a user namespace, where the kernel allows that.
"""

import os
import pathlib
import shutil
import subprocess

ENTER = """
set -e
mkdir -p "$1/proc" "$1/dev" "$1/tmp"
chmod 1777 "$1/tmp"
: >>"$1/dev/null"
mount --rbind /proc "$1/proc"
mount --bind /dev/null "$1/dev/null"
exec chroot "$@"
"""


def furnish(room: pathlib.Path, bundle, crash) -> None:
    """Puts the bundle to /opt/sigwhy and the crashing program to /opt/crash."""
    place = room / "opt"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    shutil.copytree(bundle, place / "sigwhy")
    shutil.copy2(crash, place / "crash")


def run(room: pathlib.Path, *command: str) -> subprocess.CompletedProcess:
    """Runs it in `room` with an empty environment but for a case folder."""
    namespaces = ["--mount"] if os.geteuid() == 0 \
        else ["--mount", "--user", "--map-root-user"]
    return subprocess.run(
        ["unshare", *namespaces, "/bin/sh", "-c", ENTER, "sh", room, *command],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
             "SIGWHY_DIR": "/tmp/cases"},
        text=True, capture_output=True, timeout=60)


def may_enter() -> bool:
    namespaces = ["--mount"] if os.geteuid() == 0 \
        else ["--mount", "--user", "--map-root-user"]
    return subprocess.run(["unshare", *namespaces, "true"],
                          capture_output=True).returncode == 0
