"""Prepares folders in the places where programs write, lets the vandal loose on them in the layer, and says what of
them is different afterwards. Runs as root in a mount namespace of its own: `unshare -m safe_places.py UID ...`."""
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile

NAMES = "appended truncated unlinked renamed-over mode times mapped linked target attribute hole".split()


def furnish(folder, user):
    os.makedirs(folder + "/folder/deep")
    for name in [*NAMES, "folder/deep/file"]:
        with open(f"{folder}/{name}", "w") as file:
            file.write(name * 100)
    os.symlink("target", folder + "/link")
    try:
        os.setxattr(folder + "/attribute", "user.test", b"before")
    except OSError:
        pass  # an older tmpfs
    for where, folders, files in os.walk(folder):
        for name in [".", *folders, *files]:
            os.lchown(os.path.join(where, name), user, user)


def print_of(folder):
    """Everything of a tree that a program can change."""
    found = {}
    for where, folders, files in sorted(os.walk(folder)):
        for name in sorted([".", *folders, *files]):
            path = os.path.join(where, name)
            status = os.lstat(path)
            one = [status.st_mode, status.st_uid, status.st_nlink, status.st_mtime_ns, status.st_ctime_ns]
            if stat.S_ISREG(status.st_mode):
                one += [status.st_size, hashlib.sha256(open(path, "rb").read()).hexdigest()]
                try:
                    one += [(a, os.getxattr(path, a).hex()) for a in os.listxattr(path)]
                except OSError:
                    pass
            found[path] = one
    return found


def places(room, user):
    """Working directory, home, shared folders, a bind mount, a tmpfs with files in it."""
    os.makedirs(room + "/bind-source")
    os.makedirs(room + "/bind")
    os.makedirs(room + "/memory, and: a name")
    os.chmod(room, 0o755)
    subprocess.run(["mount", "--bind", room + "/bind-source", room + "/bind"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=0777", "tmpfs", room + "/memory, and: a name"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m,mode=1777", "tmpfs", "/dev/shm"], check=True)
    made = [room + "/work", room + "/home", room + "/bind/inside", room + "/memory, and: a name/inside"]
    shared = [tempfile.mkdtemp(dir=where) for where in ("/tmp", "/var/tmp", "/dev/shm")]
    for folder in made:
        os.makedirs(folder)
    for folder in made + shared:
        furnish(folder, user)
    return made, shared


def main():
    one_trial, sigwhy, user = sys.argv[1], sys.argv[2], int(sys.argv[3])
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    room = tempfile.mkdtemp(dir="/var/tmp")
    shared = []
    try:
        made, shared = places(room, user)
        folders = made + shared
        before = {folder: print_of(folder) for folder in folders}
        vandal = os.path.join(os.path.dirname(os.path.abspath(__file__)), "vandal.py")
        command = [one_trial, sigwhy, "--", "/usr/bin/python3", vandal, *folders]
        if user:
            command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *command]
        environment = dict(os.environ, HOME=room + "/home")
        run = subprocess.run(command, cwd=room + "/work", env=environment, capture_output=True, text=True)
        after = {folder: print_of(folder) for folder in folders}
        changed = [path for f in folders for path in before[f].keys() | after[f].keys()
                   if before[f].get(path) != after[f].get(path)]
        print(json.dumps({"changed": changed, "folders": folders, "said": run.stdout + run.stderr}))
    finally:
        for mount in ("/bind", "/memory, and: a name"):
            subprocess.run(["umount", room + mount])
        for folder in shared:
            shutil.rmtree(folder)
        shutil.rmtree(room)


main()
