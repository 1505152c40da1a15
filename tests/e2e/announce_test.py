"""A server announces its wall by DNS-SD exactly while its control port listens, the wall file says so, and it coordinates: with the real server, a D-Bus
daemon, and a stand-in for Avahi on it. In tests/gui/announce_test.cpp the control room finds the announcement."""
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from hosts import Namespace  # noqa: E402
from wall import Wall, port_open, program, run, start, stop, wait_until  # noqa: E402

SUPPORT = pathlib.Path(__file__).resolve().parents[1] / "support"
PYTHON = "/usr/bin/python3"  # with Debian's python3-dbus
QUIET = 1.5  # how long something is given to happen that must not


class Lines:
    """What a process prints, as it prints it."""

    def __init__(self, stream):
        self.new, self.all = queue.Queue(), []
        self.thread = threading.Thread(target=self.read, args=(stream,), daemon=True)
        self.thread.start()

    def read(self, stream):
        with stream:
            for line in stream:
                self.all.append(line.rstrip("\n"))
                self.new.put(self.all[-1])

    def next(self, seconds=20):
        try:
            return self.new.get(timeout=seconds)
        except queue.Empty:
            return None


class Avahi:
    def __init__(self, bus):
        self.process = start(PYTHON, SUPPORT / "fake_avahi.py", bus, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = Lines(self.process.stdout)
        assert self.lines.next() == "ready"

    def say(self, *words):
        self.process.stdin.write("\t".join(words) + "\n")
        self.process.stdin.flush()

    def next(self, seconds=20):
        line = self.lines.next(seconds)
        return line.split("\t") if line else None

    def end(self):
        stop(self.process, signal.SIGKILL)


def available():
    return shutil.which("dbus-daemon") and subprocess.run([PYTHON, "-c", "import dbus, gi"], capture_output=True).returncode == 0


@unittest.skipUnless(available(), "dbus-daemon or Python's dbus and gi are missing: scripts/install-deps test")
class Announce(unittest.TestCase):
    def setUp(self):
        self.processes = []
        self.folder = tempfile.mkdtemp(prefix="lambdawall-bus-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.addCleanup(self.end)
        daemon = start("dbus-daemon", "--session", "--nofork", f"--address=unix:path={self.folder}/bus", "--print-address=1", stdout=subprocess.PIPE, text=True)
        self.processes.append(daemon)
        self.bus = daemon.stdout.readline().strip()
        self.addCleanup(daemon.stdout.close)
        self.wall = Wall(3, 2, tile=(64, 40))
        self.listen_on("0.0.0.0")
        self.announce()

    def end(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                stop(process)

    def avahi(self):
        avahi = Avahi(self.bus)
        self.processes.append(avahi.process)
        return avahi

    def edit(self, before, after):
        text = self.wall.file.read_text()
        self.assertIn(before, text)
        self.wall.file.write_text(text.replace(before, after))

    def listen_on(self, host):
        self.edit('control = "127.0.0.1:', f'control = "{host}:')

    def announce(self):
        self.edit("[wall]\n", "[wall]\nannounce = true\n")

    @property
    def port(self):
        return self.wall.control.rsplit(":", 1)[1]

    def server(self, *options, bus=None, state="state"):
        process = start(program("wall-server"), "--wall", self.wall.file, "--content", self.wall.content, "--state", self.wall.folder / state, *options,
                        env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": bus or self.bus}, stderr=subprocess.PIPE, text=True)
        self.processes.append(process)
        process.log = Lines(process.stderr)
        wait_until(lambda: port_open(self.wall.control) or process.poll() is not None, 10, "the server's control port")
        self.assertIsNone(process.poll(), process.log.all)
        return process

    def announced(self, name="test"):
        return ["announced", name, "_lambdawall._tcp", "-1", "-1", self.port, "wall=test", "columns=3", "rows=2", f"pixels={6 * 64 * 40}",
                "version=0.1.0", "protocol=1"]

    def test_exactly_while_the_port_listens(self):
        avahi = self.avahi()
        server = self.server()
        self.assertEqual(avahi.next(), self.announced())
        self.assertIsNone(avahi.next(QUIET))
        self.assertEqual(stop(server), 0)
        self.assertEqual(avahi.next(), ["withdrawn", "test"])
        # Also when it is killed.
        server = self.server()
        self.assertEqual(avahi.next(), self.announced())
        stop(server, signal.SIGKILL)
        self.assertEqual(avahi.next(), ["withdrawn", "test"])

    def test_not_unless_the_wall_file_says_so(self):
        avahi = self.avahi()
        self.edit("announce = true", "announce = false")
        self.server()
        self.assertIsNone(avahi.next(QUIET))

    def test_not_where_nobody_could_connect(self):
        avahi = self.avahi()
        self.edit('control = "0.0.0.0:', 'control = "127.0.0.1:')
        server = self.server()
        self.assertIsNone(avahi.next(QUIET))
        self.assertTrue([line for line in server.log.all if "accepts programs on this host only; set control" in line], server.log.all)

    def test_by_another_name_where_the_name_is_taken(self):
        avahi = self.avahi()
        avahi.say("add", "test", "10.0.0.9", "9010")  # known before
        avahi.say("take", "test #2")  # found out later
        server = self.server()
        self.assertEqual(avahi.next(), self.announced("test #3"))
        # Another host begins to use the name.
        avahi.say("take", "test #3")
        self.assertEqual(avahi.next(), ["withdrawn", "test #3"])
        self.assertEqual(avahi.next(), self.announced("test #4"))
        self.assertEqual(stop(server), 0)

    def test_again_with_a_new_avahi_or_host_name(self):
        avahi = self.avahi()
        server = self.server()
        self.assertEqual(avahi.next(), self.announced())
        avahi.say("rename")
        self.assertEqual(avahi.next(), ["withdrawn", "test"])
        self.assertEqual(avahi.next(), self.announced())
        avahi.end()
        wait_until(lambda: any("Avahi has ended" in line for line in server.log.all), 10, "the server to notice")
        avahi = self.avahi()
        self.assertEqual(avahi.next(), self.announced())
        self.assertIsNone(server.poll())

    def test_without_avahi_one_line_says_so_and_the_server_goes_on(self):
        for bus in (self.bus, f"unix:path={self.wall.folder}/none"):
            server = self.server(bus=bus)
            wait_until(lambda: any("the wall is not announced" in line for line in server.log.all), 10, "the reason")
            time.sleep(QUIET)
            lines = [line for line in server.log.all if "announced" in line]
            self.assertEqual(len(lines), 1, lines)
            self.assertRegex(lines[0], "; .*avahi-daemon")
            self.assertIsNotNone(self.wall.call("state"))
            self.assertEqual(stop(server), 0)
        avahi = self.avahi()
        avahi.say("refuse")
        server = self.server()
        wait_until(lambda: any("does not let programs announce" in line for line in server.log.all), 10, "the reason")
        self.assertIsNotNone(self.wall.call("state"))

    def test_by_the_server_that_coordinates(self):
        """A standby announces the wall while it holds it, and not before. Each announces on the interface that has its address."""
        try:
            network = Namespace()
        except (OSError, AssertionError) as error:
            self.skipTest(f"this host lets us make no network namespaces: {error}")
        self.processes.append(network.holder)
        network.ip("link", "set", "lo", "up")
        places = {"a": ("10.77.0.1", "9010"), "b": ("10.77.0.2", "9011")}
        for address, _ in places.values():
            network.ip("address", "add", address + "/32", "dev", "lo")
        text = self.wall.file.read_text()
        begin, end = text.index("[[server]]"), text.index("[streaming]")
        sections = [f'[[server]]\nname = "{name}"\ncontrol = "{address}:{port}"\ninterfaces = ["{address}"]\n' for name, (address, port) in places.items()]
        self.wall.file.write_text(text[:begin] + "".join(sections) + 'standby_for = "a"\nstandby = "cold"\n' + text[end:])
        for name, other in ("ab", "ba"):
            made = run(program("wall-server"), "--state", self.wall.folder / name, "--add-token", other, "--role", "server")
            self.assertEqual(made.returncode, 0, made.stderr)
            tokens = self.wall.folder / f"tokens-{other}"
            tokens.mkdir(mode=0o700)
            (tokens / name).write_text(made.stdout.split()[-1] + "\n")
            (tokens / name).chmod(0o600)
        avahi = self.avahi()
        servers = {}
        for name in "ba":
            servers[name] = start(*network.inside, program("wall-server"), "--wall", self.wall.file, "--server", name, "--content", self.wall.content,
                                  "--state", self.wall.folder / name, "--server-tokens", self.wall.folder / f"tokens-{name}",
                                  env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.bus}, stderr=subprocess.PIPE, text=True)
            servers[name].log = Lines(servers[name].stderr)
            self.processes.append(servers[name])
        said = lambda name, words: any(words in line for line in servers[name].log.all)
        by = lambda name: self.announced()[:3] + ["1", "0", places[name][1]] + self.announced()[6:]
        self.assertEqual(avahi.next(), by("a"))
        self.assertIsNone(avahi.next(3))
        self.assertTrue(said("a", "the wall is announced as"), servers["a"].log.all)
        self.assertFalse(said("b", "announced"), servers["b"].log.all)
        stop(servers["a"], signal.SIGKILL)
        self.assertEqual(avahi.next(), ["withdrawn", "test"])
        self.assertEqual(avahi.next(30), by("b"))
        wait_until(lambda: said("b", "the wall is announced as"), 5, "b to say so")


if __name__ == "__main__":
    real_time.main(verbosity=2)
