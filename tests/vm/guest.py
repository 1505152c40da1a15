"""A virtual machine with Debian's kernel and this host's files, which it cannot change.

Its time is counted in instructions (QEMU's -icount), and a process that does nothing keeps its processor from idling:
how busy this host is changes nothing in there. A timer is late only by what the guest itself computes.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile

from debian_kernel import ROOT, Missing, call, kernel

MEMORY_MIB = 1024
NANOSECONDS_PER_INSTRUCTION = 4  # a power of two; about what this takes
PATIENCE_S = 1100
BOOT_MODULES = ("virtio_pci", "9pnet_virtio", "9p")
# Its files are this host's; what tests write goes to /run, which is the guest's own memory.
INIT = """#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
for module in {boot_modules}; do $b modprobe $module; done
$b mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=524288 host /host || $b poweroff -f
for folder in proc sys dev; do $b mount --move /$folder /host/$folder; done
$b mount -t tmpfs tmpfs /host/run
$b mkdir -p /host/run/tmp /host/dev/shm
$b mount -t tmpfs tmpfs /host/dev/shm
exec $b chroot /host /bin/bash {script}
"""
SCRIPT = """export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/run TMPDIR=/run/tmp PYTHONDONTWRITEBYTECODE=1 {environment}
stty -F /dev/ttyS1 raw
# An idle processor would skip to its next timer, far ahead of the host that reads a file for it.
chrt --idle 0 bash -c 'while :; do :; done' &
ip link set lo up
for module in {modules}; do modprobe -d {kernel} $module; done
cd {root}
{command} >/dev/ttyS1 2>&1
printf '\\nguest: exit %s\\n' $? >/dev/ttyS1
sync
echo o >/proc/sysrq-trigger
sleep 60
"""


def run_inside(command, modules, environment):
    """Boots, runs the command with this host's files, and gives what it printed and its exit status (None: it did not end)."""
    for program in ("qemu-system-x86_64", "busybox", "cpio"):
        if shutil.which(program) is None:
            raise Missing(f"{program} is missing; scripts/install-deps hosts")
    debian = kernel()
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        folder = pathlib.Path(folder)
        script = folder / "inside.sh"
        settings = " ".join(f"{key}={value}" for key, value in environment.items())
        script.write_text(SCRIPT.format(environment=settings, modules=" ".join(modules), kernel=debian.modules.parents[2], root=ROOT, command=command))
        initramfs = make_initramfs(debian, folder, script)
        output, console = folder / "output", folder / "console"
        qemu = ["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-m", MEMORY_MIB, "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
                "-icount", f"shift={NANOSECONDS_PER_INSTRUCTION.bit_length() - 1},sleep=off", "-rtc", "clock=vm",
                "-kernel", debian.image, "-initrd", initramfs, "-append", "console=ttyS0 quiet panic=-1 mitigations=off random.trust_cpu=on",
                "-serial", f"file:{console}", "-serial", f"file:{output}",
                "-fsdev", "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap", "-device", "virtio-9p-pci,fsdev=host,mount_tag=host"]
        try:
            subprocess.run([str(word) for word in qemu], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=PATIENCE_S, check=False)
        except subprocess.TimeoutExpired:
            pass
        printed = output.read_text(errors="replace") if output.exists() else ""
        text, _, status = printed.rpartition("\nguest: exit ")
        if status.strip().isdigit():
            return text, int(status)
        return f"{printed}\nconsole:\n{console.read_text(errors='replace') if console.exists() else ''}", None


def make_initramfs(debian, folder, script):
    """busybox, and the modules without which the guest does not see this host's files."""
    tree = folder / "initramfs"
    for name in ("bin", "host", "proc", "sys", "dev"):
        (tree / name).mkdir(parents=True)
    shutil.copy(shutil.which("busybox"), tree / "bin/busybox")
    for file in needed_modules(debian):
        to = tree / "lib/modules" / debian.version / file
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(debian.modules / file, to)
    for list_of_all in ("modules.order", "modules.builtin", "modules.builtin.modinfo"):
        shutil.copy(debian.modules / list_of_all, tree / "lib/modules" / debian.version)
    call("depmod", "-b", tree, debian.version)
    init = tree / "init"
    init.write_text(INIT.format(boot_modules=" ".join(BOOT_MODULES), script=script))
    init.chmod(0o755)
    archive = folder / "initramfs.cpio"
    files = "\n".join(os.path.relpath(path, tree) for path in sorted(tree.rglob("*")))
    with archive.open("wb") as out:
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], input=files.encode(), stdout=out, cwd=tree, check=True)
    return archive


def needed_modules(debian):
    """With what they need, as depmod found."""
    dependencies = dict(line.split(":") for line in (debian.modules / "modules.dep").read_text().splitlines())
    needed = set()
    for file, others in dependencies.items():
        if pathlib.Path(file).stem in BOOT_MODULES:
            needed |= {file, *others.split()}
    return sorted(needed)
