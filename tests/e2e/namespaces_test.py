"""[clock] source = "wall" between hosts as far as one machine can have them: each client in a network namespace of its own, reached by
a veth pair, with wall-probe impair in the way (25 +- 5 ms each way) and a clock that is set wrong by up to 10 s and drifts by 50 ppm.
The error that is reported must hold, and the tiles keep step."""
import ctypes
import os
import socket
import subprocess
import threading
import time
import unittest

import clock_test
from wall import Wall, port_open, program, run, start, stop, wait_until
from pixels_test import make_source

CLOCKS = [(10, 50), (-10, -50), (3.3, 30), (-0.2, 0)]  # seconds ahead, ppm


class Host:
    """A network namespace, which lives as long as a process in it, and our end of the cable to it."""

    def __init__(self, number):
        self.holder = start("unshare", "--net", "sleep", "120")
        self.inside = ["nsenter", "--net", "--target", str(self.holder.pid)]
        own = os.readlink("/proc/self/ns/net")
        wait_until(lambda: os.readlink(f"/proc/{self.holder.pid}/ns/net") != own, 5, "the namespace")
        self.address = f"10.{100 + os.getpid() % 100}.{number}.2"
        cable = self.cable = f"lw{os.getpid()}n{number}"
        self.ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", self.holder.pid)
        self.ip("address", "add", self.address[:-1] + "1/24", "dev", cable)
        self.ip("link", "set", cable, "up")
        self.ip("address", "add", self.address + "/24", "dev", "eth0", inside=True)
        for device in ("eth0", "lo"):
            self.ip("link", "set", device, "up", inside=True)

    def ip(self, *words, inside=False):
        done = run(*(self.inside if inside else []), "ip", *words)
        if done.returncode != 0:
            raise OSError(f"ip {' '.join(map(str, words))}: {done.stderr.strip()}")

    def listen(self, host, port):
        """A listening socket in there. A socket stays where it was made; the thread that went there ends."""
        made = []

        def make():
            with open(f"/proc/{self.holder.pid}/ns/net") as namespace:
                if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), 0) == 0:
                    made.append(socket.create_server((host, port)))
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        return made[0]


def tunnel(listener, to):
    """What `ssh -L` does: the port of `listener` is that of `to`."""
    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        target.close()

    def serve():
        with listener:
            while True:
                try:
                    here, _ = listener.accept()
                except OSError:
                    return  # shut down
                try:
                    there = socket.create_connection(to)
                except OSError:
                    here.close()
                    continue
                for ends in ((here, there), (there, here)):
                    threading.Thread(target=copy, args=ends, daemon=True).start()
    threading.Thread(target=serve, daemon=True).start()


class Namespaces(unittest.TestCase):
    def setUp(self):
        self.processes = []
        self.hosts = []
        try:
            for number in range(len(CLOCKS)):
                self.hosts.append(Host(number))
        except (OSError, AssertionError) as error:
            self.end()
            self.skipTest(f"this host lets us make no network namespaces: {error}")
        self.addCleanup(self.end)

    def end(self):
        for process in self.processes + [host.holder for host in self.hosts]:
            stop(process)

    def start(self, *command, **kwargs):
        self.processes.append(start(*command, **kwargs))
        return self.processes[-1]

    def make_wall(self):
        """The wall as the nodes know it, and the file that the server has: with the addresses of the relays."""
        wall = Wall(len(CLOCKS), 1, tile=(64, 40), sections='[clock]\nsource = "wall"\n', mtu=1500, playout_delay_ms=150)
        make_source(wall.folder / "source", wall.picture, 30)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        text = wall.file.read_text().replace('interfaces = ["127.0.0.1"]\n', "")
        for number, host in enumerate(self.hosts):
            name = f'name = "node-{number}-0"\naddress = '
            self.assertIn(f'{name}"127.0.0.1"', text)
            text = text.replace(f'{name}"127.0.0.1"', f'{name}"{host.address}"')
        file = wall.folder / "server.toml"
        file.write_text(text)
        return wall, file

    def test_four_clients_with_wrong_clocks_keep_step(self):
        wall, server_file = self.make_wall()
        base, back = wall.streaming["base_port"], wall.streaming["source_port"] - 10000
        control_host, control_port = wall.control.rsplit(":", 1)
        clocks, dumps, clients = {}, {}, []
        for number, (host, wrong) in enumerate(zip(self.hosts, CLOCKS)):
            node, port = f"node-{number}-0", base + 2 * number
            self.start(*host.inside, program("wall-probe"), "impair", "--listen", f"{host.address}:{port}-{port + 1}", "--to", f"127.0.0.1:{port}",
                       "--from", f"127.0.0.1:{back}", "--seed", number + 1, "--delay-ms", "25", "--jitter-ms", "5", "--distribution", "uniform", "--both",
                       stdout=subprocess.DEVNULL)
            listener = host.listen(control_host, int(control_port))
            self.addCleanup(listener.shutdown, socket.SHUT_RDWR)  # ends the tunnel, and with it what holds the namespace
            tunnel(listener, (control_host, int(control_port)))
            clocks[node], dumps[node] = clock_test.WrongClock(*wrong), wall.folder / node
            clients.append(self.start(*host.inside, program("wall-client"), "--wall", wall.file, "--node", node, "--headless", "--dump", dumps[node],
                                      env=clocks[node].environment()))
        server = self.start(program("wall-server"), "--wall", server_file, "--content", wall.content, "--play", "noise")
        wait_until(lambda: port_open(wall.control), 10, "the server")
        state = lambda node: clock_test.Clock.clock_of(self, wall, node)["state"]
        wait_until(lambda: all(state(node) == "kept" for node in clocks), 10, "the clocks")
        worst, bound = clock_test.Clock.check_bounds(self, wall, clocks, 8)
        stats = wall.call("stats")
        for process in (*clients, server):
            self.assertEqual(stop(process), 0)

        skews = clock_test.skews_ms(clocks, dumps)
        print(f"skew over {len(skews)} frames in four namespaces: p50 {clock_test.quantile(skews, 0.5):.2f} ms, p99 {clock_test.quantile(skews, 0.99):.2f} ms; "
              f"clock error at most {worst / 1000:.2f} ms, bound {bound / 1000:.1f} ms")
        self.assertGreater(len(skews), 60)
        self.assertLess(clock_test.quantile(skews, 0.5), 10)  # the clocks are 20 s apart
        for entry in stats["nodes"]:
            self.assertGreater(entry["report"]["clock"]["round_trip_us_min"], 39_500)  # the relay is in the way
            self.assertGreater(entry["report"]["tiles"][0]["shown_whole"], 100)


if __name__ == "__main__":
    unittest.main(verbosity=2)
