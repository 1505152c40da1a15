#!/bin/bash
# A host of its own for units_test.py: systemd as the first process of new namespaces, on a copy-on-write view of this host's files.
# Usage: service_host.sh ROOM FILES PROGRAM...; what lies in FILES is laid over the root, PROGRAMs go into /usr/local/bin. Needs root. Nothing of it is left
# when the first process ends; ROOM is an empty folder.
set -euo pipefail
room=$1 files=$2; shift 2
mount --make-rprivate /
mount -t tmpfs tmpfs "$room"
mkdir "$room"/{changes,work,root}
mount -t overlay overlay -o "lowerdir=/,upperdir=$room/changes,workdir=$room/work" "$room/root"
cd "$room/root"
mount -t proc proc proc
mount --bind /sys sys  # without its cgroups: systemd mounts those it sees
mount --rbind /dev dev
for fresh in run tmp etc/systemd/system usr/lib/systemd/system/sysinit.target.wants usr/lib/systemd/system/sockets.target.wants; do mount -t tmpfs tmpfs $fresh; done
chmod 1777 tmp
cp -r --no-preserve=ownership "$files"/. .
for program; do
  touch "usr/local/bin/${program##*/}"
  mount --bind "$program" "usr/local/bin/${program##*/}"
done
for group in lambdawall video render; do grep -q "^$group:" etc/group || chroot . groupadd --system $group; done
grep -q ^lambdawall: etc/passwd || chroot . useradd --system --gid lambdawall --home-dir /var/lib/lambdawall --shell /usr/sbin/nologin lambdawall
: >etc/fstab
mkdir old
pivot_root . old
umount --lazy /old
exec env --ignore-environment container=test PATH=/usr/local/bin:/usr/bin:/bin /usr/lib/systemd/systemd --system --log-target=console --unit=wall.target
