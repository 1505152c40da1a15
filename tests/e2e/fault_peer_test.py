"""Peers that die at every stage of every exchange: connections cut, nodes, servers and measuring programs killed after each message in
each direction, in its middle or behind it. The rest of the wall keeps playing, and a normal peer is served afterwards."""
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from fault import Playing, told  # noqa: E402
from wall import free_ports, free_tcp_port, port_open, program, run, start, stop, wait_until  # noqa: E402

AWAY, BACK = "to the server", "from the server"


class Proxy:
    """Between a peer and its server, message by message. When it is armed, something is done after so many messages one way."""

    def __init__(self, to):
        host, port = to.rsplit(":", 1)
        self.to = (host, int(port))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.armed = None
        self.change = None  # (way, bytes that a message contains, function of such a message)
        self.fired = threading.Event()
        self.live = set()
        self.lock = threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def arm(self, way, number, half, deed):
        """At message `number` of a new connection (0: HTTP): half of it is passed on, or all, and then `deed` is done."""
        self.fired.clear()
        self.armed = (way, number, half, deed)
        self.cut()

    def disarm(self):
        """Nothing happens from here on. True if it has happened; one that is under way is waited for: a program may end before it is over."""
        with self.lock:
            waiting, self.armed = self.armed, None
        return not waiting and self.fired.wait(10)

    def taken(self, way, number):
        """The deed for this message, if one waits; only for the first who asks."""
        with self.lock:
            armed = self.armed
            if not armed or armed[:2] != (way, number):
                return None
            self.armed = None
            return armed

    def cut(self):
        with self.lock:
            live, self.live = self.live, set()
        for one in live:
            self.reset(one)

    @staticmethod
    def reset(one):
        try:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self):
        self.listener.close()
        self.cut()

    def accept(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(self.to, timeout=5)
                server.settimeout(None)
            except OSError:
                peer.close()
                continue
            with self.lock:
                self.live |= {peer, server}
            for way, source, target in ((AWAY, peer, server), (BACK, server, peer)):
                threading.Thread(target=self.pump, args=(way, source, target), daemon=True).start()

    def pump(self, way, source, target):
        number, data = 0, b""
        try:
            while more := source.recv(65536):
                data += more
                while length := message_length(data, number):
                    message, data = data[:length], data[length:]
                    change = self.change
                    if change and change[0] == way and change[1] in message:
                        message = change[2](message)
                    armed = self.taken(way, number)
                    if armed:
                        target.sendall(message[:length // 2] if armed[2] else message)
                        armed[3]()
                        self.fired.set()
                        if armed[2]:
                            break
                    else:
                        target.sendall(message)
                    number += 1
        except OSError:
            pass
        for one in (source, target):
            self.reset(one)
        with self.lock:
            self.live.discard(source)
        source.close()  # the other one is the other way's


def message_length(data, number):
    """The length of the first message in `data`: the HTTP head, then WebSocket frames; 0 if it is not complete yet."""
    if number == 0:
        end = data.find(b"\r\n\r\n")
        return end + 4 if end >= 0 else 0
    if len(data) < 2:
        return 0
    length, head = data[1] & 0x7F, 2 + (4 if data[1] & 0x80 else 0)
    if length >= 126:
        size = 2 if length == 126 else 8
        if len(data) < 2 + size:
            return 0
        length, head = int.from_bytes(data[2:2 + size], "big"), head + size
    return head + length if len(data) >= head + length else 0


class Nodes(unittest.TestCase):
    """Two synchronized nodes ([sync] mode = "wall"); the second speaks with the server through the proxy."""

    def setUp(self):
        self.playing = Playing(self, sections='[sync]\nmode = "wall"\n')
        wall = self.playing.wall
        self.proxy = Proxy(wall.control)
        self.addCleanup(self.proxy.close)
        self.node_file = wall.folder / "node.toml"
        self.node_file.write_text(wall.file.read_text().replace(wall.control, self.proxy.address))
        self.playing.client(0)
        self.node = self.start_node()
        self.server = self.playing.server()
        self.playing.back()

    def start_node(self):
        return self.playing.client(1, file=self.node_file, stderr=subprocess.DEVNULL)

    def kill(self, process):
        process.send_signal(signal.SIGKILL)

    def stages(self, last):
        """Every message of a node's life up to a report and the frames that follow it; by the server: what hello is answered with, and more."""
        return [(AWAY, number, half) for number in range(last + 1) for half in (True, False)] + [(BACK, number, half) for number in range(3) for half in (True, False)]

    def every_message(self, last):
        """Each once: the one in its middle, the next behind it."""
        return [stage for stage in self.stages(last) if stage[2] == (stage[1] % 2 == 0)]

    def test_the_connection_cut_at_each_message(self):
        before = self.playing.tiles()[1]
        worst, count = 0.0, 0
        for stage in self.stages(6):
            self.proxy.arm(*stage, self.proxy.cut)
            self.assertTrue(self.proxy.fired.wait(10), stage)
            worst = max(worst, self.playing.back())
            count += 1
        tile = self.playing.tiles()[1]
        due, whole = (tile[key] - before[key] for key in ("frames_due", "shown_whole"))
        told(self, "control connection cut", times=count, lost_frames=due - whole, recovery_s=worst)
        self.assertGreater(whole, 0.9 * due)  # frames do not need the control plane; a busy machine drops some by itself

    def test_a_node_killed_at_each_message(self):
        worst, count = 0.0, 0
        for stage in self.every_message(5):
            self.proxy.arm(*stage, lambda: self.kill(self.node))
            self.assertTrue(self.proxy.fired.wait(10), stage)
            self.node.wait()
            self.node = self.start_node()
            worst = max(worst, self.playing.back())
            count += 1
        tile = self.playing.tiles()[0]
        told(self, "node killed", times=count, recovery_s=worst, lost_frames_of_the_other=tile["frames_due"] - tile["shown_whole"])
        self.assertIsNone(self.server.poll())

    def test_the_server_killed_at_each_message(self):
        worst, count = 0.0, 0
        for stage in self.every_message(5):
            self.proxy.arm(*stage, lambda: self.kill(self.server))
            self.assertTrue(self.proxy.fired.wait(10), stage)
            self.server.wait()
            self.server = self.playing.server()
            wait_until(lambda: port_open(self.playing.wall.control), 10, "the server")
            worst = max(worst, self.playing.back())
            count += 1
        told(self, "server killed", times=count, recovery_s=worst)
        self.assertIsNone(self.node.poll())

    def test_killed_in_the_midst_of_a_fade(self):
        """Before it, while the wall darkens, black, while it brightens."""
        worst, count = 0.0, 0
        for part in (0.0, 0.3, 0.5, 0.8):
            for victim in ("node", "server"):
                self.playing.wall.call("load", name="noise", transition="fade", fade_ms=600)
                time.sleep(0.7 * part)
                self.kill(getattr(self, victim))
                getattr(self, victim).wait()
                setattr(self, victim, self.start_node() if victim == "node" else self.playing.server())
                wait_until(lambda: port_open(self.playing.wall.control), 10, "the server")
                worst = max(worst, self.playing.back())
                count += 1
        state = self.playing.wall.call("state")
        self.assertEqual(state["status"], "playing")
        told(self, "killed during a fade", times=count, recovery_s=worst)


class Probe(unittest.TestCase):
    """wall-probe run and serve, with the proxy between them."""

    def setUp(self):
        self.where = f"127.0.0.1:{free_tcp_port()}"
        self.serve = self.start_serve()
        self.proxy = Proxy(self.where)
        self.addCleanup(self.proxy.close)
        self.ports = free_ports(4)
        self.addCleanup(lambda: stop(self.serve))

    def start_serve(self):
        serve = start(program("wall-probe"), "serve", "--listen", self.where, stderr=subprocess.DEVNULL)
        wait_until(lambda: port_open(self.where), 10, "wall-probe serve")
        return serve

    def command(self, where, seconds):
        return [program("wall-probe"), "run", "--to", where, "-t", seconds, "-O", 0, "-b", "20M", "--base-port", self.ports, "--source-port", self.ports + 2]

    def normal(self):
        """The next one is served: at once, or as soon as the one before is dropped."""
        end = time.monotonic() + 10
        while True:
            done = run(*self.command(self.where, 0.1), timeout=20)
            if done.returncode == 0:
                return
            self.assertLess(time.monotonic(), end, done.stderr)
            time.sleep(0.2)

    def stages(self):
        return [(way, number, half) for way in (AWAY, BACK) for number in range(6) for half in ((True, False) if number in (1, 2) else (False,))]

    def test_cut_at_each_message(self):
        count = 0
        for stage in self.stages():
            self.proxy.arm(*stage, self.proxy.cut)
            done = run(*self.command(self.proxy.address, 0.4), timeout=20)
            fired = self.proxy.disarm()
            count += fired
            if fired and stage[1] < 5:
                self.assertEqual(done.returncode, 1, (stage, done.stderr))
                self.assertEqual(len([line for line in done.stderr.splitlines() if line.startswith("wall-probe: ")]), 1, (stage, done.stderr))
            self.assertIsNone(self.serve.poll(), stage)
            self.normal()
        told(self, "measurement cut", times=count)
        self.assertGreater(count, 12)

    def test_an_answer_of_other_types_ends_no_program(self):
        """Values of each JSON type become another, as a peer of another version may have them."""
        a_text = lambda length: b'"' + b"x" * (length - 2) + b'"'
        a_number = lambda length: b"7" * length
        kinds = ((rb"false", a_text), (rb"true", a_number), (rb"\[\]", lambda _: b"{}"), (rb"\{\}", a_text),
                 (rb'(?<=:)(?<!"jsonrpc":)"[^"]+"(?=[,}])', a_number), (rb'(?<=:)(?<!"id":)\d[\d.]+(?=[,}\]])', a_text))
        messages = (b'"version"', b'"result":{}', b'"intervals"', b'"ends"')  # of hello, of a request without an answer, of progress, of the end
        changed = [0] * len(kinds)
        for kind, (pattern, of_length) in enumerate(kinds):
            def other(message):
                head = 4 if message[1] & 0x7F == 126 else 10 if message[1] & 0x7F == 127 else 2
                body, count = re.subn(pattern, lambda found: of_length(len(found[0])), message[head:])
                changed[kind] += count > 0
                return message[:head] + body
            for contained in messages:
                self.proxy.change = (BACK, contained, other)
                done = run(*self.command(self.proxy.address, 0.2), timeout=30)
                self.assertIn(done.returncode, (0, 1), (pattern, contained, done.stderr))
                self.assertLessEqual(len(done.stderr.splitlines()), 2 if done.returncode else 0, (pattern, contained, done.stderr))
                self.assertNotIn("the host refuses", done.stderr)  # what main says of exceptions that nobody expected
                self.assertIsNone(self.serve.poll())
        self.proxy.change = None
        told(self, "answers of other types", answers=sum(changed))
        self.assertTrue(all(changed), list(zip(kinds, changed)))
        self.normal()

    def test_either_side_killed_at_each_message(self):
        count = 0
        for stage in self.stages()[::3]:
            for victim in ("run", "serve"):
                measuring = []
                kill = lambda: (measuring[0] if victim == "run" else self.serve).send_signal(signal.SIGKILL)
                ready = threading.Event()
                self.proxy.arm(*stage, lambda: (ready.wait(5), kill()))
                measuring.append(start(*self.command(self.proxy.address, 0.4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
                ready.set()
                status = measuring[0].wait(20)
                if not self.proxy.disarm():
                    continue
                count += 1
                self.assertIn(status, (-signal.SIGKILL, 0) if victim == "run" else (1, 0), stage)
                if victim == "serve":
                    self.serve.wait()
                    self.serve = self.start_serve()
                self.normal()
        told(self, "run or serve killed", times=count)
        self.assertGreater(count, 4)


if __name__ == "__main__":
    real_time.main()
