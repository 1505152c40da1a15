"""Common wrong inputs: each gets one line that names the problem and the fix, and the right exit status."""
import json
import os
import pathlib
import re
import socket
import sys
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from pictures import make_source  # noqa: E402
from wall import Control, Wall, program, run, stop  # noqa: E402


class WrongInput(unittest.TestCase):
    def refuse(self, command, status, *words, **kwargs):
        result = run(*command, timeout=20, **kwargs)
        self.assertEqual(result.returncode, status, result.stderr)
        lines = [line for line in result.stderr.strip().splitlines() if line]
        if status == 1:
            self.assertEqual(len(lines), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    @classmethod
    def setUpClass(cls):
        cls.wall = Wall(2, 1, tile=(64, 40))
        make_source(cls.wall.folder / "source", cls.wall.picture, 5)
        cls.store = cls.wall.ingest(cls.wall.folder / "source", "good")

    def server(self, *options, wall=None):
        return [program("wall-server"), "--wall", (wall or self.wall).file, *options]

    def test_bad_usage_exits_2(self):
        for name in ("wall-server", "wall-client", "wall-ingest", "wall-control"):
            self.refuse([program(name), "--no-such-option"], 2)

    def test_help_and_version(self):
        for name in ("wall-server", "wall-client", "wall-ingest", "wall-control"):
            self.assertEqual(run(program(name), "--help").returncode, 0)
            self.assertRegex(run(program(name), "--version").stdout, r"\d+\.\d+\.\d+")

    def test_missing_wall_file(self):
        self.refuse([program("wall-client"), "--wall", "/nowhere/wall.toml", "--node", "x"], 1, "/nowhere/wall.toml")

    def test_wall_file_with_a_typo(self):
        wall = Wall(1, 1)
        wall.file.write_text(wall.file.read_text().replace("tile_width", "tile_widht"))
        self.refuse([program("wall-client"), "--wall", wall.file, "--node", "node-0-0"], 1, "wall.toml:", "tile_widht", "tile_width")

    def test_unknown_node(self):
        self.refuse([program("wall-client"), "--wall", self.wall.file, "--node", "nobody", "--headless"], 1, "nobody", "node-0-0")

    def test_missing_input(self):
        self.refuse([program("wall-ingest"), "/nowhere.mp4", "--wall", self.wall.file, "--out", self.wall.content], 1, "/nowhere.mp4")

    def test_input_that_is_no_video(self):
        text = self.wall.folder / "notes.txt"
        text.write_text("not a video\n" * 100)
        self.refuse([program("wall-ingest"), text, "--wall", self.wall.file, "--out", self.wall.content], 1, "notes.txt")
        self.assertFalse(any(p.name.startswith((".notes", "notes")) for p in self.wall.content.iterdir()))

    def test_store_that_is_there_already(self):
        self.refuse([program("wall-ingest"), self.wall.folder / "source", "--wall", self.wall.file, "--out", self.wall.content, "--name", "good"],
                    1, "good", "--overwrite")

    def test_visualization_for_another_wall(self):
        other = Wall(1, 1, tile=(32, 32))
        self.refuse(self.server("--content", self.wall.content, "--play", "good", wall=other), 1, "good", "64x40", "32x32")

    def test_unknown_visualization(self):
        self.refuse(self.server("--content", self.wall.content, "--play", "nowhere"), 1, "nowhere")

    def test_missing_content_directory(self):
        self.refuse(self.server("--content", "/nowhere"), 1, "/nowhere")

    def test_control_port_in_use(self):
        host, port = self.wall.control.split(":")
        with socket.socket() as tcp:
            tcp.bind((host, int(port)))
            tcp.listen()
            self.refuse(self.server("--content", self.wall.content), 1, self.wall.control, "in use")

    def test_flow_port_in_use(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.bind(("127.0.0.1", self.wall.streaming["source_port"]))
            self.refuse(self.server("--content", self.wall.content), 1, str(self.wall.streaming["source_port"]), "in use")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.bind(("127.0.0.1", self.wall.streaming["base_port"]))
            self.refuse([program("wall-client"), "--wall", self.wall.file, "--node", "node-0-0", "--headless"],
                        1, str(self.wall.streaming["base_port"]), "in use")

    def test_corrupt_stripe_is_found_by_verify(self):
        wall = Wall(1, 1, tile=(64, 40))
        make_source(wall.folder / "source", wall.picture, 5)
        store = wall.ingest(wall.folder / "source", "hurt")
        good = run(program("wall-ingest"), "--verify", store)
        self.assertEqual(good.returncode, 0, good.stderr)
        stripe = store / "tile-0-0.npy"
        data = bytearray(stripe.read_bytes())
        data[4096 + 3 * 8192 + 100] ^= 1  # frames of 7680 bytes lie 8192 apart
        stripe.write_bytes(data)
        bad = run(program("wall-ingest"), "--verify", store)
        self.assertEqual(bad.returncode, 1)
        self.assertIn("frame 3", bad.stdout + bad.stderr)

    def test_truncated_stripe_is_refused(self):
        wall = Wall(1, 1, tile=(64, 40))
        make_source(wall.folder / "source", wall.picture, 5)
        store = wall.ingest(wall.folder / "source", "short")
        stripe = store / "tile-0-0.npy"
        stripe.write_bytes(stripe.read_bytes()[:-5000])
        self.refuse([program("wall-server"), "--wall", wall.file, "--content", wall.content, "--play", "short"], 1, "tile-0-0.npy")

    def test_no_permission(self):
        # Root may write everywhere: as root, the program runs as nobody.
        as_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        wall = Wall(1, 1, tile=(64, 40))
        for folder in (wall.folder, wall.content):
            os.chmod(folder, 0o755)
        closed = wall.folder / "closed"
        closed.mkdir(mode=0o555)
        self.refuse([*as_user, program("wall-ingest"), "lavfi:testsrc2=size=64x40:duration=1", "--wall", wall.file, "--out", closed, "--name", "x"],
                    1, "closed", "ermission")
        self.assertEqual(list(closed.iterdir()), [])

    def test_full_disk(self):
        if os.geteuid() != 0:
            self.skipTest("mounting a small disk needs root")
        small = self.wall.folder / "small"
        small.mkdir()
        if run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small).returncode != 0:
            self.skipTest("cannot mount here")
        try:
            self.refuse([program("wall-ingest"), self.wall.folder / "source", "--wall", self.wall.file, "--out", small, "--name", "big"], 1, "small")
            self.assertEqual([p.name for p in small.iterdir()], [])
        finally:
            run("umount", small)

    def test_texts_from_outside_forge_nothing(self):
        """A node, a caller and a store that say escape sequences, line feeds and overrides: in the log, the metrics, the answer of --call, and on stderr of a command."""
        wall = Wall(columns=1, rows=1)
        make_source(wall.folder / "source", wall.picture, 2)
        wall.ingest(wall.folder / "source", "film", "--rate", "30", "--title", "\x1b]0;title\x07\n\u202eforged")
        log = wall.folder / "log"
        with log.open("wb") as file:
            server = wall.server("--log", "debug", stderr=file)
        self.addCleanup(stop, server)
        hostile = "\x1b[2J\x1b[31m\r\n2026-01-31T12:00:00.000 wall-server info: forged\u202e\u009b2J\x00"
        node = Control(wall.control)
        self.addCleanup(node.close)
        node.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "node.hello",
                              "params": {"node": "node-0-0", "version": hostile, "protocol": 1, "host": hostile, "pid": 1}}))
        answers = [node.receive()]
        for method, params in ((hostile, {}), ("load", {"name": hostile}), ("describe", {"name": "film", "title": hostile}), ("node.hello", {"node": hostile})):
            node.send(json.dumps({"jsonrpc": "2.0", "id": 2, "method": method, "params": params}))
            answers.append(node.receive())
        metrics = urllib.request.urlopen(f"http://{wall.control}/metrics").read()
        outputs = [run(program("wall-control"), "--connect", wall.control, "--call", *call) for call in (("list",), ("info",), ("nodes",), ("load", json.dumps({"name": hostile})))]
        outputs.append(run(program("wall-server"), "--wall", wall.file, "--content", wall.content, "--plan", "--play", "film" + hostile.replace("\0", "")))
        outputs.append(run(program("wall-client"), "--wall", wall.file, "--node", hostile.replace("\0", "")))
        stop(server)
        texts = {"log": log.read_bytes(), "metrics": metrics, **{f"output {i}": (done.stdout + done.stderr).encode() for i, done in enumerate(outputs)}}
        self.assertIn(b"forged", texts["log"])
        for name, text in texts.items():
            with self.subTest(name):
                for line in text.split(b"\n"):
                    self.assertIsNone(re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", line.decode()), line)
                    self.assertFalse(line.startswith(b"2026-01-31T12:00"), line)

    def test_unreachable_server(self):
        self.refuse([program("wall-control"), "--call", "state", "--connect", "127.0.0.1:1"], 1, "127.0.0.1:1")


if __name__ == "__main__":
    real_time.main(verbosity=2)
