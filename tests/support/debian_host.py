"""Hosts that run their own Debian 12, made by debootstrap from the packages that this host's apt knows: for what is installed and configured.

What debootstrap and apt made is kept in build/hosts for the next run. A host is an overlay over it, in its own namespaces, and leaves nothing behind.
Needs root."""
import atexit
import hashlib
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from wall import start, wait_until

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = ROOT / "build/hosts"
SUITE = "bookworm"
SYSTEMD = ("/lib/systemd/systemd", "--system", "--log-target=console", "--unit=multi-user.target")
SLEEP = ("sleep", "infinity")
_numbers = itertools.count(2)


def checked(*command, **kwargs):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **kwargs)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def sources():
    """[(address, suite, components)] of the Debian that this host's apt is configured for."""
    listed = checked("apt-get", "indextargets", "Created-By: Packages", "Origin: Debian", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)")
    found = {}
    for line in listed.splitlines():
        address, suite, component = line.split()
        if suite.startswith(SUITE):
            found.setdefault((address, suite), []).append(component)
    return [(address, suite, sorted(set(components))) for (address, suite), components in found.items()]


def base():
    """The smallest Debian with systemd and apt."""
    folder = CACHE / "base"
    if (folder / "complete").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    CACHE.mkdir(parents=True, exist_ok=True)
    mirror = next(address for address, suite, _ in sources() if suite == SUITE)
    checked("debootstrap", "--variant=minbase", "--include=systemd,systemd-sysv,udev,dbus,iproute2,ca-certificates", SUITE, folder, mirror)
    (folder / "etc/apt/sources.list").write_text("".join(f"deb {address} {suite} {' '.join(components)}\n" for address, suite, components in sources()))
    for settings in pathlib.Path("/etc/apt/apt.conf.d").glob("*proxy*"):
        shutil.copy(settings, folder / "etc/apt/apt.conf.d")
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
    (folder / "etc/fstab").write_text("")
    (folder / "etc/dpkg/dpkg.cfg.d/quick").write_text("force-unsafe-io\n")  # a host that ends with its test needs no file on the disk
    (folder / "complete").touch()
    return folder


def with_packages(*packages, lower=None):
    """The folders of a Debian on which these are installed, for a host's `lower`: on the smallest one, or on another that this function has made."""
    lower = lower or [base()]
    if not packages:
        return lower
    name = " ".join([*(folder.parent.name for folder in lower[:-1]), *sorted(packages)])
    folder = CACHE / hashlib.sha256(name.encode()).hexdigest()[:16]
    if not folder.exists():
        with DebianHost("layer", lower, SLEEP) as host:
            host.install(*packages)
            host.stop()
            folder.mkdir()
            (host.room / "changes").rename(folder / "tree")
    return [folder / "tree", *lower]


def free_addresses():
    """The first three numbers of a network of ours."""
    return f"10.{100 + os.getpid() % 100}.{os.getpid() // 100 % 250}"


class Network:
    """A switch. We are .1; hosts follow."""

    def __init__(self):
        self.prefix = free_addresses()
        self.name = f"lwb{os.getpid()}"
        checked("ip", "link", "add", self.name, "type", "bridge")
        checked("ip", "address", "add", f"{self.prefix}.1/24", "dev", self.name)
        checked("ip", "link", "set", self.name, "up")
        atexit.register(self.end)

    def end(self):
        subprocess.run(["ip", "link", "del", self.name], capture_output=True)

    def plug(self, pid):
        """Gives the namespace of a process a network card; returns its address."""
        number = next(_numbers)
        cable = f"lwc{os.getpid()}n{number}"
        checked("ip", "link", "add", cable, "mtu", 9000, "type", "veth", "peer", "name", "eth0", "mtu", 9000, "netns", pid)
        checked("ip", "link", "set", cable, "master", self.name, "up")
        inside = ("nsenter", "--net", "--target", pid, "ip")
        checked(*inside, "address", "add", f"{self.prefix}.{number}/24", "dev", "eth0")
        checked(*inside, "link", "set", "eth0", "up")
        return f"{self.prefix}.{number}"


class DebianHost:
    """`lower`: from with_packages(). `init`: SYSTEMD, or SLEEP. `shared`: {path in the host: folder of ours}. Without `network` it has a loopback only."""

    def __init__(self, name, lower, init=SYSTEMD, network=None, shared=()):
        self.name = name
        self.room = pathlib.Path(tempfile.mkdtemp(prefix="host-", dir=CACHE))
        for folder in ("changes", "work", "root"):
            (self.room / folder).mkdir()
        (CACHE / "archives").mkdir(exist_ok=True)
        for number, (target, source) in enumerate({"/var/cache/apt/archives": CACHE / "archives", **dict(shared)}.items()):
            place = self.room / "shared" / str(number)
            place.mkdir(parents=True)
            (place / "target").write_text(target)
            (place / "source").write_text(str(source))
        groups = next(place for place in ("/sys/fs/cgroup/unified", "/sys/fs/cgroup") if os.path.exists(f"{place}/cgroup.procs"))
        self.group = pathlib.Path(tempfile.mkdtemp(prefix="lambdawall-test-", dir=groups))
        self.log = open(self.room / "log", "w")
        script = pathlib.Path(__file__).with_suffix(".sh")
        self.process = start("unshare", "--fork", "--kill-child", "--pid", "--mount", "--cgroup", "--uts", "--ipc", "--net", "bash", script, self.room,
                             ":".join(map(str, lower)), name, *init, stdout=self.log, stderr=self.log,
                             preexec_fn=lambda: (self.group / "cgroup.procs").write_text(str(os.getpid())))
        atexit.register(self.end)
        self.address = None
        try:
            wait_until(self.running, 120, name)
            if network:
                self.address = network.plug(self.first())
            if init == SYSTEMD:
                wait_until(lambda: self.run("systemctl", "is-system-running").stdout.strip() in ("running", "degraded"), 120, name)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{(self.room / 'log').read_text()[-2000:]}") from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def first(self):
        """The process id of its first process, as we count."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return children[0] if children else None

    def running(self):
        """Whether its first process has become what it is to be."""
        first = self.first()
        return first is not None and pathlib.Path(f"/proc/{first}/comm").read_text().strip() in ("systemd", "sleep")

    def command(self, *words, net=True):
        """`net=False`: in our network, in which the registries of packages are."""
        spaces = ["--mount", "--pid", "--uts", "--ipc", "--cgroup"] + ["--net"] * net
        return ["nsenter", "--target", self.first(), *spaces, "--root", "--wd", "env", "--ignore-environment", "HOME=/root", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
                "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", *map(str, words)]

    def run(self, *words, net=True, timeout=300):
        return subprocess.run(self.command(*words, net=net), capture_output=True, text=True, timeout=timeout)

    def check(self, *words, net=True, timeout=600):
        """Its output; whoever fails is an error."""
        return checked(*self.command(*words, net=net), timeout=timeout)

    def shell(self, script, **kwargs):
        return self.check("bash", "-euc", script, **kwargs)

    def start(self, *words, **kwargs):
        return start(*self.command(*words), **kwargs)

    def install(self, *packages):
        self.check("apt-get", "-qq", "update", net=False)
        return self.check("apt-get", "-qq", "-y", "--no-install-recommends", "install", *packages, net=False, timeout=900)

    def write(self, path, text, mode=0o644):
        self.check("mkdir", "-p", str(pathlib.PurePath(path).parent))
        done = subprocess.run(self.command("bash", "-c", f'cat > "$0" && chmod {mode:o} "$0"', path), input=text, text=True, capture_output=True)
        assert done.returncode == 0, done.stderr

    def read(self, path):
        return self.check("cat", path)

    def stop(self):
        """Ends all that runs; the files stay until end()."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if not self.log.closed:
            self.log.close()
            for folder, _, _ in os.walk(self.group, topdown=False):
                wait_until(lambda: _gone(folder), 10, "the last process of " + folder)

    def end(self):
        self.stop()
        shutil.rmtree(self.room, ignore_errors=True)


def _gone(group):
    try:
        os.rmdir(group)
    except OSError:
        return False
    return True


def files_of(host):
    """Every path of a host but those of the kernel, of apt and of logs, with what they are."""
    listed = host.check("find", "/", "-xdev", "-not", "-path", "/var/cache/*", "-not", "-path", "/var/log/*", "-not", "-path", "/var/lib/apt/*", "-not", "-path", "/var/lib/dpkg/*",
                        "-not", "-path", "/tmp/*", "-not", "-path", "/run/*", "-printf", "%p %y %m %u\n")
    return {line for line in listed.splitlines() if not re.search(r"\.dpkg-|ld\.so\.cache", line)}
