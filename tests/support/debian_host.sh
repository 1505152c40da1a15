#!/bin/bash
# The first process of a host of debian_host.py, in new namespaces: joins LOWER (folders, the topmost first, with colons between) and what ROOM/changes has
# to one root, mounts what every Linux needs and the folders of ROOM/shared, and becomes INIT. Usage: debian_host.sh ROOM LOWER NAME INIT...
set -euo pipefail
room=$1 lower=$2 name=$3; shift 3
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$room/changes,workdir=$room/work" "$room/root"
cd "$room/root"
mount -t proc proc proc
# What belongs to the kernel is this host's, and only to be read.
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  : >dev/$device
  mount --bind /dev/$device dev/$device
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
for link in fd:fd stdin:fd/0 stdout:fd/1 stderr:fd/2; do ln -s "/proc/self/${link#*:}" "dev/${link%:*}"; done
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
chmod 1777 tmp
for folder in "$room"/shared/*; do
  target=$(cat "$folder/target")
  mkdir -p ".$target"
  mount --bind "$(cat "$folder/source")" ".$target"
done
hostname "$name"
echo "$name" >etc/hostname
ip link set lo up
mkdir -p old
pivot_root . old
umount --lazy /old
exec env --ignore-environment container=test PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
