"""Starts the real programs for end-to-end tests: real sockets, real files, real (virtual) windows.

Every process is started here and ended here, by its own handle. New ports are chosen for each wall, so that tests can run
beside each other and beside a wall that plays.
"""
import atexit
import base64
import contextlib
import hashlib
import itertools
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time

BIN = pathlib.Path(os.environ.get("LW_BIN", pathlib.Path(__file__).resolve().parents[2] / "build/release/bin"))
# By a compiler's sanitizers: the programs take more memory, and report crashes themselves.
SANITIZED = "LW_SANITIZED" in os.environ
_running = []
# What the programs keep is not the user's.
_kept = tempfile.mkdtemp(prefix="lambdawall-state-")
atexit.register(shutil.rmtree, _kept, ignore_errors=True)
os.environ["XDG_STATE_HOME"] = _kept
os.environ.pop("STATE_DIRECTORY", None)


def program(name):
    return str(BIN / name)


@atexit.register
def _stop_all():
    for process in _running:
        if process.poll() is None:
            process.kill()


def start(*command, **kwargs):
    process = subprocess.Popen([str(word) for word in command], **kwargs)
    _running.append(process)
    return process


def stop(process, sig=signal.SIGTERM, timeout=10):
    """Ends a program as an operator would; returns its exit status."""
    if process.poll() is None:
        process.send_signal(sig)
    return process.wait(timeout)


def resident_bytes(process):
    """Of a program, with what lies on reserved huge pages, which the kernel does not count as resident."""
    fields = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines())
    return sum(int(fields[key].split()[0]) * 1024 for key in ("VmRSS", "HugetlbPages"))


def in_windows(command):
    """Real windows need a display; a virtual one does."""
    return ["xvfb-run", "-a", "-s", "-screen 0 1600x1200x24", *command]


def stop_in_windows(wrapper):
    """xvfb-run does not pass signals on: ends the client itself, its child, and waits for the wrapper."""
    children = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(wrapper.pid)], capture_output=True, text=True).stdout.splitlines()
    pid = next(int(line.split()[0]) for line in children if "wall-client" in line)
    os.kill(pid, signal.SIGTERM)
    assert wrapper.wait(10) == 0


def run(*command, timeout=120, **kwargs):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=timeout, **kwargs)


def free_ports(count):
    """An even port with `count` free UDP ports from it on, if possible below those that the kernel gives to connections."""
    for base in range(24000 + os.getpid() % 200 * 40, 60000, 64):
        base -= base % 2
        with contextlib.ExitStack() as stack:
            try:
                for port in range(base, base + count):
                    udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                    udp.bind(("127.0.0.1", port))
            except OSError:
                continue
            return base
    raise RuntimeError("no free ports")


TCP_PORTS = itertools.cycle(22800 + (37 * os.getpid() + n) % 1200 for n in range(1200))  # test programs begin at different ones


def free_tcp_port():
    """Below the ports that the kernel gives to connections: one of those could take it before its listener does."""
    for port in itertools.islice(TCP_PORTS, 1200):
        with contextlib.suppress(OSError), socket.socket() as tcp:
            tcp.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no free ports")


class Wall:
    """A wall file in a temporary folder, one node per tile unless `nodes` says otherwise ({name: [(column, row), ...]})."""

    def __init__(self, columns=2, rows=2, tile=(64, 40), bezel=(0, 0), rate="30", nodes=None, sections="", audio=(), **streaming):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lambdawall-test-"))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.columns, self.rows, self.tile, self.bezel, self.rate = columns, rows, tile, bezel, rate
        self.nodes = nodes or {f"node-{c}-{r}": [(c, r)] for r in range(rows) for c in range(columns)}
        self.flows = columns * rows * streaming.get("flows_per_tile", 1)
        self.audio = audio  # names of the nodes that get sound
        streams = self.flows + len(audio)
        ports = free_ports(4 * streams)
        self.streaming = {"mtu": 9000, "playout_delay_ms": 120, "base_port": ports, "source_port": ports + 2 * streams, **streaming}
        self.sections = sections  # more of the wall file
        self.control = f"127.0.0.1:{free_tcp_port()}"
        self.file = self.folder / "wall.toml"
        self.content = self.folder / "content"
        self.content.mkdir()
        self.write()

    def write(self):
        value = lambda v: json.dumps(v)
        lines = ["[wall]", 'name = "test"', f"columns = {self.columns}", f"rows = {self.rows}", f"tile_width = {self.tile[0]}",
                 f"tile_height = {self.tile[1]}", f"bezel_x = {self.bezel[0]}", f"bezel_y = {self.bezel[1]}", f'frame_rate = "{self.rate}"']
        for name, tiles in self.nodes.items():
            lines += ["[[node]]", f'name = "{name}"', 'address = "127.0.0.1"', *(['audio = "default"'] if name in self.audio else []), "tiles = ["]
            lines += [f"  {{ column = {c}, row = {r}, window = [{c * (self.tile[0] + self.bezel[0])}, {r * (self.tile[1] + self.bezel[1])}] }},"
                      for c, r in tiles]
            lines += ["]"]
        lines += ["[[server]]", 'name = "server"', f'control = "{self.control}"', 'interfaces = ["127.0.0.1"]', "[streaming]"]
        lines += [f"{key} = {value(v)}" for key, v in self.streaming.items() if v is not None]  # None: the default
        self.file.write_text("\n".join(lines) + "\n" + self.sections)

    @property
    def picture(self):
        return (self.columns * self.tile[0] + (self.columns - 1) * self.bezel[0],
                self.rows * self.tile[1] + (self.rows - 1) * self.bezel[1])

    def tile_box(self, column, row):
        x, y = column * (self.tile[0] + self.bezel[0]), row * (self.tile[1] + self.bezel[1])
        return x, y, x + self.tile[0], y + self.tile[1]

    def ingest(self, source, name, *options, out=None):
        result = run(program("wall-ingest"), source, "--wall", self.file, "--out", out or self.content, "--name", name, *options)
        assert result.returncode == 0, result.stderr
        return self.content / name

    def server(self, *options, **kwargs):
        process = start(program("wall-server"), "--wall", self.file, "--content", self.content, *options, **kwargs)
        wait_until(lambda: port_open(self.control) or process.poll() is not None, 10, "the server's control port")
        return process

    def client(self, node, *options, **kwargs):
        return start(program("wall-client"), "--wall", self.file, "--node", node, *options, **kwargs)

    def behind_relay(self, node, flow):
        """A relay in the way of a node of one flow: the server's wall file, which names the relay's address, and the relay's command."""
        address = f'name = "{node}"\naddress = '
        file = self.folder / "server.toml"
        file.write_text(self.file.read_text().replace(address + '"127.0.0.1"', address + '"127.0.0.3"'))
        port = self.streaming["base_port"] + 2 * flow
        return file, [program("wall-probe"), "impair", "--listen", f"127.0.0.3:{port}-{port + 1}", "--to", f"127.0.0.1:{port}",
                      "--from", f"127.0.0.1:{self.streaming['source_port'] - 10000}"]

    def call(self, method, **params):
        with contextlib.closing(Control(self.control)) as control:
            return control.call(method, **params)


def port_open(address):
    host, port = address.rsplit(":", 1)
    with socket.socket() as tcp:
        tcp.settimeout(0.2)
        return tcp.connect_ex((host, int(port))) == 0


def wait_until(condition, seconds, what):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s for {what}")


class Control:
    """The smallest WebSocket client (RFC 6455) that can speak JSON-RPC 2.0: independent of our implementation."""

    path = "/"

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.tcp = self.connect(host, int(port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.tcp.sendall(f"GET {self.path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{self.headers()}\r\n".encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            data = self.tcp.recv(4096)
            assert data, "closed without an answer"
            self.buffer += data
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        assert b" 101 " in head and accept in head, head
        self.id = 0

    def connect(self, host, port):
        return socket.create_connection((host, port), timeout=10)

    def headers(self):
        return ""

    def close(self):
        self.tcp.close()

    def send(self, text, opcode=1):
        payload = text.encode() if isinstance(text, str) else text
        mask = os.urandom(4)
        length = len(payload)
        head = bytes([0x80 | opcode])
        head += bytes([0x80 | length]) if length < 126 else (struct.pack("!BH", 0xFE, length) if length < 65536 else struct.pack("!BQ", 0xFF, length))
        self.tcp.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    def _take(self, count):
        while len(self.buffer) < count:
            data = self.tcp.recv(65536)
            if not data:
                raise ConnectionError("closed")
            self.buffer += data
        out, self.buffer = self.buffer[:count], self.buffer[count:]
        return out

    def receive(self):
        """The next text message as JSON."""
        text = b""
        while True:
            first, second = self._take(2)
            length = second & 0x7F
            if length == 126:
                length, = struct.unpack("!H", self._take(2))
            elif length == 127:
                length, = struct.unpack("!Q", self._take(8))
            payload = self._take(length)
            opcode = first & 0xF
            if opcode == 9:
                self.send(payload, 10)
            elif opcode == 8:
                raise ConnectionError("closed by the server")
            elif opcode in (0, 1):
                text += payload
                if first & 0x80:
                    return json.loads(text)

    def call(self, method, **params):
        self.id += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}))
        while True:
            message = self.receive()
            if message.get("id") == self.id:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message["result"]
