"""The units of deploy/systemd under their own systemd: the programs run in their sandboxes, and are started again for as long as it takes."""
import os
import pathlib
import re
import shutil
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from fault import Playing  # noqa: E402
from wall import program, run, start, wait_until  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SYSTEMD = pathlib.Path("/usr/lib/systemd/systemd")
PROGRAMS = ("wall-server", "wall-client", "wall-probe", "wall-relay")
UNITS = ("lambdawall-server", "lambdawall-client@node-0-0", "lambdawall-probe", "lambdawall-relay@far")
SITE = """[[site]]
name = "far"
address = "127.0.0.5"
[[site.node]]
name = "far-node"
address = "127.0.0.6"
tiles = [{ column = 0, row = 0 }]
"""


class Host:
    """What service_host.sh makes. Its network is this host's."""

    def __init__(self, test, files):
        groups = next((place for place in ("/sys/fs/cgroup/unified", "/sys/fs/cgroup") if os.path.exists(f"{place}/cgroup.procs")), None)
        if os.geteuid() != 0 or not SYSTEMD.exists() or groups is None:
            test.skipTest("root, systemd and a cgroup v2 are needed")
        self.group = pathlib.Path(tempfile.mkdtemp(prefix="lambdawall-test-", dir=groups))
        self.room = pathlib.Path(tempfile.mkdtemp(prefix="lambdawall-test-"))
        self.log = open(files / "host.log", "w")
        script = pathlib.Path(__file__).with_name("service_host.sh")
        self.process = start("unshare", "--fork", "--kill-child", "--pid", "--mount", "--cgroup", "--uts", "--ipc", "bash", script, self.room, files,
                             *(program(name) for name in PROGRAMS), stdout=self.log, stderr=self.log,
                             preexec_fn=lambda: (self.group / "cgroup.procs").write_text(str(os.getpid())))
        test.addCleanup(self.end)
        try:
            wait_until(lambda: self.first() is not None and self.systemctl("is-active", "wall.target").stdout == "active\n", 30, "the host")
        except AssertionError:
            raise AssertionError((files / "host.log").read_text()[-2000:]) from None

    def first(self):
        """The process id of its first process, as this host counts."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return children[0] if children else None

    def inside(self, *command):
        return run("nsenter", "-t", self.first(), "--mount", "--pid", *command)

    def systemctl(self, *words):
        return self.inside("systemctl", "--no-pager", *words)

    def shown(self, unit, what):
        return self.systemctl("show", "--value", "--property", what, unit).stdout.strip()

    def status(self, unit):
        """/proc/PID/status of its main process."""
        text = self.inside("cat", f"/proc/{self.shown(unit, 'MainPID')}/status").stdout
        return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.log.close()
        for folder, _, _ in os.walk(self.group, topdown=False):
            wait_until(lambda: self.gone(folder), 5, "the last process of " + folder)
        os.rmdir(self.room)

    @staticmethod
    def gone(group):
        try:
            os.rmdir(group)
        except OSError:
            return False
        return True


class Units(unittest.TestCase):
    def setUp(self):
        self.playing = Playing(self, columns=1, sections=SITE)
        wall = self.playing.wall
        files = wall.folder / "files"
        units = files / "etc/systemd/system"
        (files / "etc/lambdawall").mkdir(parents=True)
        shutil.copy(wall.file, files / "etc/lambdawall/wall.toml")
        shutil.copytree(wall.content, files / "srv/lambdawall")
        shutil.copytree(ROOT / "deploy/systemd", units)
        wants = units / "wall.target.wants"
        wants.mkdir()
        for unit in UNITS:
            (wants / f"{unit}.service").symlink_to(f"../{re.sub('@.*', '@', unit)}.service")
        display = f":{os.getpid() % 10000 + 100}"
        (units / "display-manager.service").write_text(f"[Service]\nExecStart=Xvfb {display} -ac -screen 0 640x480x24\n")
        (units / "wall.target").write_text("[Unit]\nWants=display-manager.service systemd-journald.socket\n")
        # What differs on this host, as an operator would write it.
        self.drop_in(units, "lambdawall-client@", f"Environment=DISPLAY={display}")
        self.drop_in(units, "lambdawall-server", "WatchdogSec=2")
        self.host = Host(self, files)

    @staticmethod
    def drop_in(units, unit, line):
        folder = units / f"{unit}.service.d"
        folder.mkdir()
        (folder / "here.conf").write_text(f"[Service]\n{line}\n")

    def active(self, unit):
        wait_until(lambda: self.host.systemctl("is-active", unit).stdout == "active\n", 15, unit)

    def journal(self, *words):
        return self.host.inside("journalctl", "--no-pager", "--output=cat", *words).stdout

    def test_the_wall_plays_from_its_units(self):
        for unit in UNITS:
            self.active(unit)
        wall = self.playing.wall
        wall.call("load", name="noise")
        wall.call("play")
        self.playing.back()
        self.in_sandboxes()
        self.priorities()
        self.frozen()
        self.killed_often()
        self.stopped()

    def in_sandboxes(self):
        for unit in UNITS:
            with self.subTest(unit):
                status = self.host.status(unit)
                self.assertNotEqual(status["Uid"].split()[0], "0")
                self.assertEqual([int(status[key], 16) for key in ("CapEff", "CapPrm", "CapBnd", "CapAmb")], [0, 0, 0, 0])
                self.assertEqual((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"))
        kept = self.host.inside("stat", "--format=%U %a", "/var/lib/lambdawall", "/var/lib/lambdawall/audit-attempts.ndjson").stdout
        self.assertEqual(kept, "lambdawall 700\nlambdawall 600\n")

    def priorities(self):
        """The journal knows which lines are warnings, and notes the time itself."""
        everything = self.journal("--unit=lambdawall-server")
        self.assertIn("node-joined", everything)
        self.assertNotRegex(everything, r"(?m)^(<\d>|20\d\d-)")
        self.assertNotIn("node-joined", self.journal("--unit=lambdawall-server", "--priority=warning"))

    def frozen(self):
        """The watchdog ends a stalled server, which then resumes what was playing."""
        before = self.host.shown("lambdawall-server", "MainPID")
        self.host.inside("kill", "-STOP", before)
        wait_until(lambda: self.host.shown("lambdawall-server", "MainPID") not in ("0", before), 20, "the watchdog")
        self.playing.back()
        self.assertEqual(self.host.shown("lambdawall-server", "NRestarts"), "1")

    def killed_often(self):
        """More often than systemd's own patience with units (five times in 10 s)."""
        for _ in range(6):
            self.active("lambdawall-client@node-0-0")
            self.host.systemctl("kill", "--signal=KILL", "lambdawall-client@node-0-0")
            time.sleep(0.2)
        self.active("lambdawall-client@node-0-0")
        self.playing.back()

    def stopped(self):
        for unit in UNITS:
            self.assertEqual(self.host.systemctl("stop", unit).returncode, 0)
            self.assertEqual(self.host.shown(unit, "Result"), "success", unit)


if __name__ == "__main__":
    real_time.main()
