# container.sh pivot|chroot COMMAND...   runs it in a room like a container's: the root is an overlay, which cannot hold
# the upper layer of another one; with `chroot` the root is not even a mount. Needs a mount namespace of its own.
set -e
how=$1; shift
mount --make-rprivate /
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/whole
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/whole
for folder in proc sys dev; do mount --rbind /$folder /mnt/whole/$folder; done
cd /mnt/whole
if [ $how = chroot ]; then exec chroot . "$@"; fi
mkdir -p mnt/old
pivot_root . mnt/old
umount -l /mnt/old
cd /
exec "$@"
