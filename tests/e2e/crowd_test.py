"""A crowd at the control port while the wall plays, with the real programs: a port scan, garbage, half-open connections, readers
that do not read, ten thousand connection attempts; and 64 nodes that report beside 256 connections that say nothing. No frame
may be late because of it, and memory stays bounded. How many frames come late is compared with quiet times before and after it
of the same run, and is not judged where a machine that does other things cannot play a small wall even then."""
import contextlib
import json
import os
import pathlib
import random
import resource
import selectors
import socket
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import SANITIZED, Control, Wall, resident_bytes, stop, wait_until  # noqa: E402

MARGIN = 0.05  # of the frames: more than in a quiet time
TOO_BUSY = 0.1  # of the frames late in a quiet time
SECONDS = 5
MIB = 1 << 20


class Crowd(unittest.TestCase):
    def setUp(self):
        self.processes = []
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))

    def tearDown(self):
        for process in self.processes:
            self.assertEqual(stop(process), 0)

    def play(self, wall, nodes):
        self.wall, self.nodes = wall, nodes
        wall.ingest(f"lavfi:testsrc2=size={wall.picture[0]}x{wall.picture[1]}:rate=30:duration=2", "bars")
        self.clients = [wall.client(node, "--headless") for node in nodes]
        self.server = wall.server("--play", "bars")
        self.processes = [*self.clients, self.server]
        wait_until(lambda: all(tile and tile["shown_whole"] > 30 for tile in self.tiles()), 20, "the wall to play")

    def tiles(self):
        reports = {n["node"]: n.get("report") for n in self.wall.call("stats")["nodes"]}
        return [reports[node]["tiles"][0] if reports.get(node) else None for node in self.nodes]

    def late_over(self, seconds, control):
        """Frames that tiles did not show whole and in time while `seconds` passed, and those that were due."""
        def figures():
            reports = {n["node"]: n.get("report") for n in control.call("stats")["nodes"]}
            tiles = [reports[node]["tiles"][0] for node in self.nodes]
            return sum(t["shown_concealed"] + t["not_shown"] + t["late"] for t in tiles), sum(t["frames_due"] for t in tiles)

        late, due = figures()
        time.sleep(seconds)
        late_after, due_after = figures()
        return late_after - late, due_after - due

    def undisturbed(self, crowd, server_mib_max):
        """Plays a quiet time, and then one with `crowd`, a function that is called with an event that ends it; the server may grow by so much."""
        with contextlib.closing(Control(self.wall.control)) as control:
            quiet, _ = self.late_over(SECONDS, control)
            resident = [resident_bytes(process) for process in self.processes]
            end = threading.Event()
            running = threading.Thread(target=crowd, args=(end,))
            running.start()
            late, due = self.late_over(SECONDS, control)
            highest = [resident_bytes(process) for process in self.processes]
            end.set()
            running.join()
            behind, _ = self.late_over(SECONDS / 2, control)
        grown = [(after - before) / MIB for before, after in zip(resident, highest)]
        print(f"{self.id().split('.')[-1]}: {late} of {due} frames late, {quiet} in the quiet time before, {behind} after; "
              f"memory grew by {max(grown[:-1]):.1f} MiB (clients), {grown[-1]:.1f} MiB (server)")
        self.assertGreater(due, 0.8 * 30 * SECONDS * len(self.nodes))
        if max(quiet, behind) < TOO_BUSY * due and os.getloadavg()[0] < os.cpu_count() + 1:
            self.assertLessEqual(late, max(quiet, behind) + MARGIN * due)
        if not SANITIZED:  # they keep for a while what is freed
            self.assertLess(max(grown[:-1]), 4)
            self.assertLess(grown[-1], server_mib_max)

    def address(self):
        host, port = self.wall.control.rsplit(":", 1)
        return host, int(port)

    def open(self, data=b""):
        """A connection that has said `data`; none where the server has closed it by then."""
        tcp = socket.socket()
        tcp.settimeout(2)
        try:
            tcp.connect(self.address())
            tcp.sendall(data)
        except OSError:
            tcp.close()
            return None
        tcp.setblocking(False)
        return tcp

    def test_ten_thousand_attempts_and_a_port_scan(self):
        self.play(Wall(2, 1, tile=(160, 100)), ["node-0-0", "node-1-0"])
        done = {"attempts": 0, "scanned": 0}

        def crowd(end):
            for attempt in range(10_000):
                if (tcp := self.open()) is not None:
                    tcp.close()
                done["attempts"] += 1
                if attempt % 4 == 0:  # the hundred ports around, by UDP and TCP
                    port = 1024 + attempt % 60000
                    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
                        for near in (port, self.wall.streaming["base_port"] + attempt // 4 % 100):
                            udp.sendto(b"", ("127.0.0.1", near))
                    with socket.socket() as tcp:
                        tcp.settimeout(0.2)
                        tcp.connect_ex(("127.0.0.1", port))
                    done["scanned"] += 1
                if end.is_set() and attempt % 100 == 0:
                    time.sleep(0.001)

        self.undisturbed(crowd, 16)
        self.assertEqual(done, {"attempts": 10_000, "scanned": 2500})
        self.assertEqual(self.wall.call("state")["status"], "playing")
        self.assertLess(len(os.listdir(f"/proc/{self.server.pid}/fd")), 200)

    def test_clients_that_do_not_know_the_protocol(self):
        self.play(Wall(2, 1, tile=(160, 100)), ["node-0-0", "node-1-0"])
        chance = random.Random(7)
        upgrade = b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        words = [b"", b"GET / HTTP/1.1\r\nHost:", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET /" + b"a" * 20_000, upgrade[:-2]]

        def crowd(end):
            held, slow = [], []
            for _ in range(8):  # hear all, read nothing
                control = Control(self.wall.control)
                control.tcp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                control.call("subscribe", pictures=True)
                slow.append(control)
            while not end.is_set():
                garbage = chance.randbytes(chance.randrange(1, 4000))
                behind = upgrade + chance.randbytes(200)  # as WebSocket frames
                held += [self.open(data) for data in (garbage, behind, *words)]
                while len(held) > 300:
                    if (tcp := held.pop(0)) is not None:
                        tcp.close()
                time.sleep(0.01)
            for tcp in held:
                if tcp is not None:
                    tcp.close()
            for control in slow:
                control.close()

        self.undisturbed(crowd, 16 + 8 * 4)  # of who does not read 4 MiB are kept
        self.assertEqual(self.wall.call("state")["status"], "playing")
        wait_until(lambda: len(os.listdir(f"/proc/{self.server.pid}/fd")) < 200, 15, "the server to close what is left")

    def test_64_nodes_and_256_idle_connections(self):
        """A wall of 66 nodes; two are real, the others only speak: reports ten times a second, and eight of them listen."""
        wall = Wall(11, 6, tile=(32, 20))
        self.play(wall, ["node-0-0", "node-1-0"])
        names = [name for name in wall.nodes if name not in self.nodes]
        self.assertEqual(len(names), 64)
        told = {"reports": 0, "bytes": 0}

        def report(name):
            column, row = wall.nodes[name][0]
            figures = {"flow": row * 11 + column, "receiving": True, "packets": 1, "bytes": 1, "used": 1, "lost": 0}
            shown = {"tile": [column, row], "frame": 1, "fps": 30.0, "frames_due": 1, "shown_whole": 1, "presented": [[1, 1.0]] * 3}
            params = {"node": name, "time": "2026-01-31T12:00:00.100Z", "interval_s": 0.1, "flows": [figures], "tiles": [shown]}
            return json.dumps({"jsonrpc": "2.0", "method": "node.report", "params": params})

        def crowd(end):
            clients = [Control(wall.control) for _ in names]
            for name, client in zip(names, clients):
                client.call("node.hello", node=name, version="0", protocol=1, host="crowd", pid=1)
            for client in clients[:8]:
                client.call("subscribe", stats=True, events=True)
            idle = [Control(wall.control) for _ in range(256)]
            told["connections"] = len(clients) + len(idle)
            for client in clients:
                client.tcp.setblocking(False)
            with selectors.DefaultSelector() as ready:
                for client in clients:
                    ready.register(client.tcp, selectors.EVENT_READ)
                due = time.monotonic()
                while not end.is_set():
                    for key, _ in ready.select(0.01):
                        told["bytes"] += len(key.fileobj.recv(1 << 20))
                    if time.monotonic() < due:
                        continue
                    due += 0.1
                    for name, client in zip(names, clients):
                        client.send(report(name))
                        told["reports"] += 1
            told["fds"] = len(os.listdir(f"/proc/{self.server.pid}/fd"))
            for client in clients + idle:
                client.close()

        self.undisturbed(crowd, 32)
        print(f"  {told['reports']} reports, {told['bytes'] / MIB:.1f} MiB to eight that listen")
        self.assertEqual(told["connections"], 320)
        self.assertGreater(told["fds"], 320)
        self.assertGreater(told["reports"], 64 * 10 * SECONDS * 0.5)


if __name__ == "__main__":
    real_time.main(verbosity=2)
