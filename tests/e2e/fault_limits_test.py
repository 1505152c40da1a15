"""Limits of the host: memory, open files, locked memory. A program either plays, or ends with one line that says what it lacks; it never
crashes, and never plays half. Ports that are taken: tests/e2e/wrong_input_test.py."""
import os
import pathlib
import re
import resource
import socket
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from fault import Playing, fault, told  # noqa: E402
from wall import port_open, program, run, start, stop  # noqa: E402


def limited(kind, value):
    return lambda: resource.setrlimit(kind, (value, value))


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        class Case:  # the wall is shared: only the store of it is needed
            addCleanup = staticmethod(lambda *_: None)
        cls.wall = Playing(Case, columns=1).wall

    def outcome(self, what, ready, *command, **kwargs):
        """'plays' when `ready` says so, or 'refuses' when the program ends with one clear line."""
        process = start(*command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **kwargs)
        end = time.monotonic() + 15
        while process.poll() is None and not ready(process):
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.01)
        if process.poll() is None:
            stop(process)  # which may come behind its own end, if it was ready before it had all it wants
        text = process.stderr.read()
        process.stderr.close()
        if process.returncode == 0:
            return "plays"
        self.assertEqual(process.returncode, 1, (what, text))
        said = [line for line in text.splitlines() if re.match(r"wall-\w+: \S", line)]
        self.assertEqual(len(said), 1, (what, text))
        return "refuses"

    def server(self, what, **kwargs):
        return self.outcome(what, lambda _: port_open(self.wall.control), program("wall-server"), "--wall", self.wall.file, "--content", self.wall.content,
                            "--play", "noise", **kwargs)

    def client(self, what, **kwargs):
        """It plays when its presenter and its link run: threads of these programs are named."""
        page = f"127.0.0.1:{self.free_port}"
        return self.outcome(what, lambda _: port_open(page), program("wall-client"), "--wall", self.wall.file, "--node", "node-0-0", "--headless", "--metrics", page, **kwargs)

    def setUp(self):
        with socket.socket() as tcp:
            tcp.bind(("127.0.0.1", 0))
            self.free_port = tcp.getsockname()[1]

    def sweep(self, what, play, values, **limits):
        outcomes = [play((what, value), preexec_fn=limited(limits["kind"], value)) for value in values]
        told(self, what, limits=len(outcomes), refused=outcomes.count("refuses"))
        self.assertEqual(outcomes, sorted(outcomes, reverse=True), "more of it must not be worse")
        self.assertEqual(outcomes[-1], "plays")
        self.assertIn("refuses", outcomes)

    def test_open_files(self):
        self.sweep("open files, server", self.server, [*range(4, 30, 2), 64], kind=resource.RLIMIT_NOFILE)
        self.sweep("open files, node", self.client, [*range(4, 30, 2), 64], kind=resource.RLIMIT_NOFILE)

    def test_memory(self):
        sizes = [size << 20 for size in (24, 48, 64, 80, 96, 128, 192, 256, 384, 512, 768, 2048)]
        for what, play, program_name in (("memory, server", self.server, "wall-server"), ("memory, node", self.client, "wall-client")):
            outcomes = [play((what, size), preexec_fn=limited(resource.RLIMIT_AS, size)) for size in sizes if self.starts(program_name, size)]
            told(self, what, limits=len(outcomes), refused=outcomes.count("refuses"))
            self.assertEqual(outcomes[-1], "plays")
            self.assertIn("refuses", outcomes)

    def starts(self, name, size):
        """Whether the loader can map the program and its libraries at all: before main the program cannot report anything."""
        return run(program(name), "--version", preexec_fn=limited(resource.RLIMIT_AS, size)).returncode == 0

    def test_allocations_that_fail(self):
        """Each of the larger allocations of a start, one after the other."""
        for what, play in (("server", self.server), ("node", self.client)):
            outcomes = []
            for number in [*range(1, 25), *range(25, 120, 6)]:
                outcomes.append(play((what, number), env=fault("ENOMEM", "alloc", 16384, number, 1)))
            told(self, f"allocations of 16 KiB and more that fail at the start of the {what}", times=len(outcomes), refused=outcomes.count("refuses"))
            self.assertIn("refuses", outcomes)

    def test_locked_memory(self):
        """Without the right to lock memory the wall plays, and says so."""
        as_root = ["setpriv", "--bounding-set=-ipc_lock"] if os.geteuid() == 0 else []
        playing = Playing(self, columns=1)
        playing.client(0)
        server = playing.start(*as_root, program("wall-server"), "--wall", playing.wall.file, "--content", playing.wall.content, "--play", "noise",
                               preexec_fn=limited(resource.RLIMIT_MEMLOCK, 0), stderr=subprocess.PIPE, text=True)
        playing.back()
        self.assertEqual(stop(server), 0)
        text = server.stderr.read()
        server.stderr.close()
        self.assertIn("not locked", text)
        self.assertIn("LimitMEMLOCK", text)

    def test_no_descriptor_left_while_it_plays(self):
        """Connections take all descriptors of the server: the wall plays on, and clients that connect without one left get an answer."""
        playing = Playing(self, columns=1)
        playing.client(0)
        server = playing.server()
        playing.back()
        used = len(os.listdir(f"/proc/{server.pid}/fd"))
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (used + 4, used + 4))
        host, port = playing.wall.control.rsplit(":", 1)
        before = cpu_seconds(server)
        held = [socket.create_connection((host, int(port)), timeout=5) for _ in range(40)]
        time.sleep(1.5)
        busy = (cpu_seconds(server) - before) / 1.5
        for connection in held:
            connection.close()
        took = playing.back()
        tile = playing.tiles()[0]
        lost = tile["frames_due"] - tile["shown_whole"]
        told(self, "40 connections to a server with 4 descriptors left", lost_frames=lost, recovery_s=took, cores=busy)
        self.assertLess(busy, 0.7, "it must not spin")
        self.assertLess(lost, 10)


def cpu_seconds(process):
    with open(f"/proc/{process.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    real_time.main()
