"""Steady over days: messages to the service manager, a watchdog that notices a stalled thread, what a crash leaves behind,
resuming what was playing, and units that give the programs no more than they need."""
import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from fault import Playing, fault, told  # noqa: E402
from wall import SANITIZED, port_open, program, run, stop, wait_until  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_DETACH = 0x4206, 0x4207, 17


class Manager:
    """The service manager's end of sd_notify."""

    def __init__(self, test, folder):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        test.addCleanup(self.socket.close)
        self.path = str(folder / "notify")
        self.socket.bind(self.path)
        self.socket.setblocking(False)

    def environment(self, patience_us=800_000):
        return {**os.environ, "NOTIFY_SOCKET": self.path, "WATCHDOG_USEC": str(patience_us)}

    def heard(self):
        heard = []
        while True:
            try:
                heard.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return heard

    def hears(self, what, seconds=10):
        wait_until(lambda: what in self.heard(), seconds, what)


class Frozen:
    """One thread of a program, stopped as by a debugger, while the others continue."""

    def __init__(self, process, name):
        tasks = pathlib.Path(f"/proc/{process.pid}/task").iterdir()
        self.thread = next(int(task.name) for task in tasks if (task / "comm").read_text().strip() == name)
        self.ptrace = ctypes.CDLL(None, use_errno=True).ptrace
        self.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]

    def __enter__(self):
        if self.ptrace(PTRACE_SEIZE, self.thread, None, None) != 0:
            raise unittest.SkipTest("this host does not let us hold a thread still (ptrace)")
        self.ptrace(PTRACE_INTERRUPT, self.thread, None, None)
        os.waitpid(self.thread, 0x40000000)  # __WALL
        return self

    def __exit__(self, *_):
        self.ptrace(PTRACE_DETACH, self.thread, None, None)


class Service(unittest.TestCase):
    def setUp(self):
        self.playing = Playing(self, columns=1)
        self.manager = Manager(self, self.playing.wall.folder)

    def watched(self, process, threads):
        self.manager.hears("READY=1")
        for _ in range(3):
            self.manager.hears("WATCHDOG=1", 3)
        for name in threads:
            with self.subTest(name), Frozen(process, name):
                time.sleep(0.5)
                self.manager.heard()
                time.sleep(1)
                self.assertEqual(self.manager.heard(), [], f"{name} is stalled, and the watchdog reports no problem")
            self.manager.hears("WATCHDOG=1", 3)
        self.assertEqual(stop(process), 0)
        self.assertIn("STOPPING=1", self.manager.heard())

    def test_the_server_is_watched(self):
        server = self.playing.server(env=self.manager.environment())
        self.playing.client(0)
        self.watched(server, ["playback", "flow-0", "wall-server"])

    def test_the_server_is_watched_while_nothing_plays(self):
        self.watched(self.playing.server("--log", "info", env=self.manager.environment()), ["playback", "flow-0"])

    def test_a_node_is_watched(self):
        self.watched(self.playing.client(0, env=self.manager.environment()), ["wall-client", "recv-0"])

    def test_without_a_manager_nothing_is_sent(self):
        for path in ("", "nonsense", "/nowhere/at/all", "@" + "x" * 200):
            server = self.playing.server(env={**os.environ, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "ten"})
            wait_until(lambda: port_open(self.playing.wall.control), 10, "the server")
            self.assertEqual(stop(server), 0)

    def crash(self, process, thread):
        """A signal for one thread, as a wrong access would send it."""
        task = next(int(task.name) for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir() if (task / "comm").read_text().strip() == thread)
        ctypes.CDLL(None).syscall(234, process.pid, task, signal.SIGSEGV) if os.uname().machine == "x86_64" else os.kill(process.pid, signal.SIGSEGV)
        _, text = process.communicate(timeout=10)
        self.assertEqual(process.returncode, -signal.SIGSEGV, text)  # and a core, where the host keeps them
        return text

    @unittest.skipIf(SANITIZED, "the sanitizers report crashes")
    def test_a_crash_says_where(self):
        server = self.playing.server(stderr=subprocess.PIPE, text=True)
        wait_until(lambda: port_open(self.playing.wall.control), 10, "the server")
        client = self.playing.client(0, stderr=subprocess.PIPE, text=True)
        self.playing.back()
        for process, thread, function in ((client, "recv-0", "Runner"), (server, "playback", "Runner")):
            text = self.crash(process, thread)
            self.assertRegex(text, rf"(?m)^wall-\w+ \d+\.\d+\.\d+: crashed by SIGSEGV .*in thread {thread}")
            if os.uname().machine == "x86_64":
                self.assertIn(function, text)
            offsets = re.findall(r"wall-\w+\(.*\+(0x[0-9a-f]+)\)\[", text)
            self.assertTrue(offsets, text)

    def resumed(self, folder, *options):
        return self.playing.server("--resume", "--state", folder, *options)

    def test_a_server_goes_on_with_what_was_playing(self):
        wall, folder = self.playing.wall, self.playing.wall.folder / "state"
        wall.ingest(wall.folder / "source", "other", "--rate", "30")
        server = self.resumed(folder)
        wait_until(lambda: port_open(wall.control), 10, "the server")
        self.assertEqual(wall.call("state")["status"], "stopped")
        wall.call("load", name="noise", frame=3)
        wall.call("rate", rate=0.5)
        wall.call("loop", loop=True, **{"in": 2, "out": 20})
        wall.call("playlist", entries=[{"name": "other", "loops": 2, "transition": "fade", "fade_ms": 500}, {"name": "noise", "seconds": 7}], repeat=True)
        wall.call("pause")
        kept = lambda: json.loads((folder / "resume.json").read_text()) if (folder / "resume.json").exists() else {}
        wait_until(lambda: kept().get("paused") and kept()["frame"] == wall.call("state")["frame"], 5, "resume.json")
        before = wall.call("state")
        server.send_signal(signal.SIGKILL)
        server.wait()
        server = self.resumed(folder)
        self.playing.client(0)
        wait_until(lambda: port_open(wall.control), 10, "the server")
        after = wall.call("state")
        for key in ("status", "name", "frame", "rate", "loop", "in", "out", "playlist", "repeat"):
            self.assertEqual(after[key], before[key], key)

        # An entry of a playlist resumes as such.
        wall.call("next")
        wait_until(lambda: wall.call("state")["name"] == "other", 5, "the fade")
        wall.call("seek", frame=7)
        wall.call("pause")
        self.assertEqual(stop(server), 0)  # what is newest is written at the end
        before = {"name": "other", "frame": 7, "status": "paused"}
        server = self.resumed(folder)
        wait_until(lambda: port_open(wall.control), 10, "the server")
        after = wall.call("state")
        self.assertEqual({key: after[key] for key in before}, before)
        self.assertEqual(after["entry"]["loops"], 2)
        self.assertEqual([entry["name"] for entry in after["playlist"]], ["noise", "other"])
        wall.call("play")
        self.playing.back()
        self.assertEqual(os.stat(folder).st_mode & 0o777, 0o700)

        # A missing or damaged file does not prevent a start; --play takes precedence over it.
        self.assertEqual(stop(server), 0)
        shutil.rmtree(wall.content / "other")
        for text in (None, "", "{", '{"version": 1}', '{"version": 2, "rate": 1, "loop": true}', "[" * 100000, '{"version": 1, "rate": 1e999, "loop": true}',
                     '{"version": 1, "rate": 1, "loop": true, "name": "noise", "frame": 99999}'):
            if text is not None:
                (folder / "resume.json").write_text(text)
            server = self.resumed(folder)
            wait_until(lambda: port_open(wall.control), 10, "the server")
            self.assertEqual(wall.call("state").get("name"), "noise" if text and "99999" in text else None, text)
            self.assertEqual(stop(server), 0)
        server = self.resumed(folder, "--play", "noise")
        self.playing.back()
        self.assertEqual(stop(server), 0)

    def test_a_state_folder_that_is_full_does_not_stop_the_wall(self):
        folder = self.playing.wall.folder / "state"
        server = self.playing.server("--resume", "--state", folder, "--play", "noise", env=fault("ENOSPC", "changes", "resume.json"), stderr=subprocess.PIPE, text=True)
        self.playing.client(0)
        self.playing.back()
        time.sleep(3.5)
        self.playing.back()
        self.assertEqual(stop(server), 0)
        text = server.stderr.read()
        server.stderr.close()
        self.assertEqual(text.count("No space left"), 1, text)


class Units(unittest.TestCase):
    """deploy/systemd."""

    def test_each_gives_little(self):
        if shutil.which("systemd-analyze") is None:
            self.skipTest("systemd-analyze is not here")
        units = sorted((ROOT / "deploy/systemd").glob("*.service"))
        self.assertEqual(len(units), 4)
        for unit in units:
            done = run("systemd-analyze", "security", "--offline=true", "--threshold=30", "--no-pager", unit)
            exposure = re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)
            self.assertEqual(done.returncode, 0, done.stdout[-600:] + done.stderr)
            told(self, unit.name, exposure=float(exposure.group(1)))
            self.assertLessEqual(float(exposure.group(1)), 3.0)

    def test_each_names_options_that_the_programs_have(self):
        for unit in sorted((ROOT / "deploy/systemd").glob("*.service")):
            command = next(line.split("=", 1)[1] for line in unit.read_text().splitlines() if line.startswith("ExecStart="))
            name, *words = command.split()
            asked = [program(pathlib.Path(name).name), *(["serve"] if "serve" in words else []), "--help"]
            text = run(*asked).stdout
            for option in (word for word in words if word.startswith("--")):
                self.assertIn(option, text, unit.name)


if __name__ == "__main__":
    real_time.main()
