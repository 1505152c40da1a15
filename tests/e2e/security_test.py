"""Admission to the control plane: a server on an address that others reach, a node in its own network namespace that plays over
TLS with a token, and callers with another role, a wrong token, no token, no TLS, or too old a TLS. Clients here are Python's, curl and
openssl, which are not ours."""
import contextlib
import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from hosts import Host  # noqa: E402
from pictures import compare_dumps, make_source  # noqa: E402
from wall import Control, Wall, free_tcp_port, port_open, program, run, start, stop, wait_until  # noqa: E402


class SecureControl(Control):
    """The same small WebSocket client over TLS, with a token."""

    def __init__(self, address, token=None, ca=None):
        self.token, self.ca = token, ca
        super().__init__(address)

    def connect(self, host, port):
        context = ssl.create_default_context(cafile=self.ca) if self.ca else ssl._create_unverified_context()
        return context.wrap_socket(super().connect(host, port), server_hostname=host)

    def headers(self):
        return f"Authorization: Bearer {self.token}\r\n" if self.token else ""


class Security(unittest.TestCase):
    def setUp(self):
        self.processes = []
        try:
            self.host = Host(7)
        except (OSError, AssertionError) as error:
            self.skipTest(f"this host lets us make no network namespaces: {error}")
        self.addCleanup(self.end)
        self.wall = Wall(1, 1, tile=(160, 100))
        self.pictures = make_source(self.wall.folder / "source", self.wall.picture, 30)
        self.wall.ingest(self.wall.folder / "source", "noise", "--rate", "30")
        self.address = self.host.address[:-1] + "1"  # our end of the cable
        self.wall.control = f"{self.address}:{self.wall.control.rsplit(':', 1)[1]}"
        self.wall.write()
        text = self.wall.file.read_text().replace('\naddress = "127.0.0.1"', f'\naddress = "{self.host.address}"')
        self.wall.file.write_text(text.replace('interfaces = ["127.0.0.1"]', f'interfaces = ["{self.address}"]'))
        self.state, self.state_of_node = self.wall.folder / "state", self.wall.folder / "state-of-node"
        self.certificate = self.state / "control.crt"

    def end(self):
        for process in self.processes + [self.host.holder]:
            if process.poll() is None:
                stop(process)

    def server(self, *options):
        self.processes.append(self.wall.server("--state", self.state, *options))
        return self.processes[-1]

    def tokens(self, *options):
        done = run(program("wall-server"), "--state", self.state, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def token(self, role, name=None):
        return self.tokens("--add-token", name or ("node-0-0" if role == "node" else role), "--role", role)

    def node(self, token, *options, wall_file=None):
        file = self.wall.folder / "token"
        file.write_text(token + "\n")
        log = open(self.wall.folder / "node.log", "w")
        self.addCleanup(log.close)
        self.processes.append(start(*self.host.inside, program("wall-client"), "--wall", wall_file or self.wall.file, "--node", "node-0-0", "--headless",
                                    "--token-file", file, "--state", self.state_of_node, *options, stdout=log, stderr=log))
        return self.processes[-1]

    def node_log(self):
        return (self.wall.folder / "node.log").read_text()

    def audit(self):
        """The changes, and the attempts."""
        files = [self.state / name for name in ("audit.ndjson", "audit-attempts.ndjson")]
        return [json.loads(line) for file in files if file.exists() for line in file.read_text().splitlines()]

    def curl(self, *options, path="/metrics", ca=None):
        done = run(*self.host.inside, "curl", "-s", "-S", "--max-time", "10", "-o", "-", "-w", "\n%{http_code}", "--cacert", ca or self.certificate, *options,
                   f"https://{self.wall.control}{path}")
        body, _, code = done.stdout.rpartition("\n")
        return int(code), body

    def control(self, token, **kwargs):
        return contextlib.closing(SecureControl(self.wall.control, token, **kwargs))

    def test_a_node_plays_over_tls_and_roles_hold(self):
        view, operate, node = self.token("view"), self.token("operate"), self.token("node")
        self.assertEqual([line.split()[:2] for line in self.tokens("--tokens").splitlines()], [["view", "view"], ["operate", "operate"], ["node-0-0", "node"]])
        server = self.server()
        client = self.node(node, "--dump", self.wall.folder / "dump")
        with self.control(operate, ca=self.certificate) as desk:
            self.assertEqual(desk.call("info")["you"], {"name": "operate", "role": "operate"})
            wait_until(lambda: desk.call("stats")["nodes"][0]["connected"], 10, "the node")
            desk.call("load", name="noise")
            time.sleep(2)
            stats = desk.call("stats")
            with self.assertRaisesRegex(RuntimeError, "the role administer.*'code': 2|'code': 2.*the role administer"):
                desk.call("delete", name="noise")
        self.assertGreater(stats["nodes"][0]["report"]["tiles"][0]["shown_whole"], 20)
        self.assertIn("its certificate is trusted", self.node_log())
        self.assertIn(self.tokens("--fingerprint"), (self.state_of_node / "known-servers").read_text())

        with self.control(view) as looker:
            self.assertEqual(looker.call("state")["name"], "noise")
            with self.assertRaisesRegex(RuntimeError, "the role operate"):
                looker.call("stop")
        with self.control(node) as other:
            with self.assertRaisesRegex(RuntimeError, "'code': 2"):
                other.call("state")
        # On this host nothing is needed.
        with contextlib.closing(Control(f"127.0.0.1:{self.wall.control.rsplit(':', 1)[1]}")) as here:
            self.assertEqual(here.call("info")["you"], {"name": "loopback", "role": "administer"})
        # Whose token is gone is gone.
        self.tokens("--remove-token", "node-0-0")
        wait_until(lambda: "no control plane at" in self.node_log(), 10, "the node to be sent away")
        self.assertEqual(stop(client), 0)
        self.assertEqual(stop(server), 0)
        compare_dumps(self, self.wall, {"node-0-0": self.wall.folder / "dump"}, self.pictures, 20)

        lines = [(line["name"], line["method"], line["outcome"].split(":")[0]) for line in self.audit()]
        for expected in (("command line", "add-token", "done"), ("operate", "load", "done"), ("operate", "delete", "refused"), ("view", "stop", "refused"),
                         ("node-0-0", "node.hello", "done"), ("command line", "remove-token", "done")):
            self.assertIn(expected, lines)
        self.assertEqual(len([line for line in lines if line[1] == "stats"]), 0)
        self.assertNotIn(operate, "".join(file.read_text() for file in self.state.glob("*.*json")))

    def test_strangers_are_kept_out(self):
        operate = self.token("operate")
        server = self.server("--play", "noise")
        # In the clear, from another address than loopback.
        with self.assertRaisesRegex(AssertionError, "403"):
            Control(self.wall.control)
        for option in ("-tls1", "-tls1_1"):
            old = run(*self.host.inside, "openssl", "s_client", option, "-cipher", "ALL:@SECLEVEL=0", "-connect", self.wall.control, input="", timeout=20)
            self.assertNotEqual(old.returncode, 0)
            self.assertNotIn("Cipher is ECDHE", old.stdout)
        now = run(*self.host.inside, "openssl", "s_client", "-tls1_2", "-CAfile", self.certificate, "-verify_ip", self.address, "-connect", self.wall.control,
                  input="", timeout=20)
        self.assertIn("Verify return code: 0 (ok)", now.stdout)
        # What curl gets, with the certificate as CA and its address checked.
        self.assertEqual(self.curl("-H", f"Authorization: Bearer {operate}")[0], 200)
        self.assertIn("lambdawall_build_info", self.curl("-H", f"Authorization: Bearer {operate}")[1])
        self.assertEqual(self.curl(path="/healthz"), (200, "ok\n"))
        # From here on this host guesses: after five times its attempts are ignored, and others are still served.
        with self.control(operate) as desk:
            codes = [self.curl("-H", f"Authorization: Bearer lw-{number:064x}")[0] for number in range(8)]
            self.assertEqual(codes, [401] * 5 + [429] * 3)
            self.assertEqual(self.curl("-H", f"Authorization: Bearer {operate}")[0], 429)
            self.assertEqual(desk.call("state")["status"], "playing")
        with self.control(operate) as desk:  # another address
            self.assertEqual(desk.call("state")["status"], "playing")
        self.assertEqual(stop(server), 0)
        refused = [line for line in self.audit() if line["method"] == "get"]
        self.assertEqual([(line["address"], line.get("calls", 1)) for line in refused], [(self.host.address, 1), (self.host.address, 4)])
        self.assertIn("waits", refused[-1]["outcome"])

    def test_half_open_connections_lock_nobody_out(self):
        operate = self.token("operate")
        server = self.server("--play", "noise")
        with contextlib.ExitStack() as stack:
            for _ in range(600):  # more than there are places for
                tcp = stack.enter_context(socket.create_connection((self.address, int(self.wall.control.rsplit(":", 1)[1])), timeout=10))
                tcp.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")  # the beginning of a ClientHello
            with self.control(operate) as desk:
                self.assertEqual(desk.call("state")["status"], "playing")
            with contextlib.closing(Control(f"127.0.0.1:{self.wall.control.rsplit(':', 1)[1]}")) as here:
                self.assertEqual(here.call("state")["status"], "playing")
            self.assertLess(len(os.listdir(f"/proc/{server.pid}/fd")), 200)
        self.assertEqual(stop(server), 0)

    def test_another_certificate_is_refused(self):
        node = self.token("node")
        server = self.server()
        client = self.node(node)
        known = self.state_of_node / "known-servers"
        wait_until(known.exists, 10, "the node to meet the server")
        hellos = lambda: [line["method"] for line in self.audit()].count("node.hello")
        wait_until(lambda: hellos() == 1, 10, "the node's hello")
        self.assertEqual(stop(server), 0)
        for name in ("control.crt", "control.key"):
            (self.state / name).unlink()
        server = self.server()
        wait_until(lambda: "is another one" in self.node_log() or client.poll() is not None, 15, "the node to see it")
        self.assertRegex(self.node_log(), r"the certificate of [0-9.:]+ is another one \(sha256:[0-9a-f]{64}\) than before; if this is intended, remove its line from")
        self.assertEqual(stop(client), 0)
        self.assertEqual(hellos(), 1)
        # Meant: the wall file says so.
        text = self.wall.file.read_text()
        pinned = self.wall.folder / "pinned.toml"
        pinned.write_text(text.replace("[[server]]\n", f'[[server]]\nfingerprint = "{self.tokens("--fingerprint")}"\n'))
        client = self.node(node, wall_file=pinned)
        wait_until(lambda: "connected to the server's control plane" in self.node_log(), 10, "the node to be connected")
        self.assertEqual(stop(client), 0)
        # And wall-probe asks the same questions.
        probe = lambda *options: run(*self.host.inside, program("wall-probe"), "trace", "--connect", self.wall.control, "--seconds", "0.1", "--out",
                                     self.wall.folder / "trace.json", "--state", self.state_of_node, *options)
        self.assertIn("is another one", probe("--token-file", self.wall.folder / "token").stderr)
        self.assertIn("requires a token", probe("--ca", self.certificate).stderr)
        self.assertEqual(stop(server), 0)

    def test_a_nodes_own_page(self):
        """wall-client --metrics off loopback: its own certificate and tokens."""
        self.state_of_node.mkdir()
        done = run(program("wall-server"), "--state", self.state_of_node, "--add-token", "prometheus", "--role", "view")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.node(self.token("node"), "--metrics", f"{self.host.address}:9011")
        url = f"https://{self.host.address}:9011/metrics"
        page = lambda *options: run("curl", "-s", "--max-time", "10", "--cacert", self.state_of_node / "control.crt", "-w", "\n%{http_code}", *options, url)
        wait_until(lambda: page().stdout.endswith("401"), 10, "the page")
        with_token = page("-H", f"Authorization: Bearer {done.stdout.strip()}")
        self.assertTrue(with_token.stdout.endswith("\n200"), with_token)
        self.assertIn("lambdawall_tile_swaps_total", with_token.stdout)

    def test_who_measures_has_a_token(self):
        """`wall-probe serve` on an address that others reach: TLS, and a token that may operate."""
        port = free_tcp_port()
        tokens = {}
        for role in ("view", "operate", "node"):
            tokens[role] = self.wall.folder / f"{role}.token"
            tokens[role].write_text(self.token(role) + "\n")
        server = start(program("wall-probe"), "serve", "--listen", f"{self.address}:{port}", "--state", self.state, stderr=subprocess.PIPE, text=True)
        self.processes.append(server)
        wait_until(lambda: port_open(f"{self.address}:{port}"), 10, "the probe's port")
        probe = lambda *options: run(*self.host.inside, program("wall-probe"), "run", "--to", f"{self.address}:{port}", "-t", "1", "-b", "200M", "-l", "1400", "--json",
                                     "--state", self.state_of_node, *options)
        without = probe()
        self.assertNotEqual(without.returncode, 0)
        self.assertIn("--token-file", without.stderr)
        looker = probe("--token-file", tokens["view"])
        self.assertNotEqual(looker.returncode, 0)
        self.assertIn("role operate", looker.stderr)
        # Viewers may run the doctor on a host; nodes may not.
        for role, words in (("view", "the wall file"), ("node", "the role view")):
            with contextlib.closing(SecureControl(f"{self.address}:{port}", tokens[role].read_text().strip())) as caller:
                with self.assertRaisesRegex(RuntimeError, words):
                    caller.call("doctor", wall="nonsense", server=False, nodes=[])
        done = probe("--token-file", tokens["operate"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(json.loads(done.stdout.splitlines()[-1])["data"]["figures"]["gbit_per_s"], 0.1)
        self.assertIn(self.tokens("--fingerprint"), (self.state_of_node / "known-servers").read_text())
        self.assertEqual(stop(server), 0)
        self.assertIn("the certificate: sha256:", server.stderr.read())


if __name__ == "__main__":
    real_time.main(verbosity=2)
