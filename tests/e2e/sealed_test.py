"""A wall whose packets are encrypted (SRTP): the same frames over a path that loses packets, for everybody who has the key; nothing
for anybody without it. Packets on the wire are decrypted here by another implementation: RFC 3711 and RFC 7714 by Python's `cryptography`."""
import os
import pathlib
import re
import secrets
import socket
import struct
import subprocess
import sys
import time
import unittest

import numpy as np
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from pictures import make_source  # noqa: E402
from relayed import Relayed, RelayedChecks  # noqa: E402
from wall import Wall, program, run, start, stop, wait_until  # noqa: E402


def write_key(file, digits=None):
    file.write_text((digits or secrets.token_hex(32)) + "\n")
    file.chmod(0o600)
    return bytes.fromhex(file.read_text().strip())


def derived(master, salt, label, size):
    """RFC 3711 section 4.3.3, with the key length of RFC 6188 and the salt of RFC 7714 section 11."""
    x = bytearray(salt + b"\0\0")
    x[7] ^= label
    stream = Cipher(algorithms.AES(master), modes.CTR(bytes(x) + b"\0\0")).encryptor()
    return stream.update(bytes(size))


def opened(packet, media_key):
    """The content of an SRTP packet of this wall; raises if it is not encrypted with the key. docs/protocol.md describes the format."""
    identity = packet[-8:]
    secret = HKDF(hashes.SHA256(), 44, salt=identity, info=b"lambdawall media 1").derive(media_key)
    key, salt = derived(secret[:32], secret[32:], 0, 32), derived(secret[:32], secret[32:], 2, 12)
    head = 12 + 4 + 4 * struct.unpack("!H", packet[14:16])[0]
    sequence, ssrc = packet[2:4], packet[8:12]
    counter = bytes(a ^ b for a, b in zip(b"\0\0" + ssrc + b"\0\0\0\0" + sequence, salt))
    return packet[:head] + AESGCM(key).decrypt(counter, packet[head:-8], packet[:head])


class Sealed(RelayedChecks, unittest.TestCase):
    def test_pictures_arrive_over_a_bad_path(self):
        """Lost packets are requested, resent and rebuilt, always encrypted; duplicated packets are shown once."""
        relayed = Relayed((320, 200), 30, mtu=1500, playout_delay_ms=120, fec="20+4", srtp_key_file="media.key")
        write_key(relayed.wall.folder / "media.key")
        dump, stats, counts = relayed.play(8, "--loss-percent", "2", "--delay-ms", "10", "--both", "--duplicate-percent", "2")
        flow, tile = self.figures(stats)
        self.assertGreater(counts["forward"]["lost"], 200)
        self.assertGreater(flow["repaired"] + flow["rebuilt"], 0.8 * flow["lost"])
        self.assertGreater(flow["repaired"], 0)
        self.assertGreater(flow["rebuilt"], 0)
        self.assertGreater(flow["duplicates"], 100)
        self.assertEqual((flow["unauthentic"], flow["invalid"]), (0, 0))
        self.assertIn("rtt_us", stats["sender"][0])
        self.mostly_whole(tile)
        self.same_pictures(relayed, dump, 30)

    def test_either_of_two_paths_may_be_cut(self):
        relayed = Relayed((160, 100), 30, mtu=1500, playout_delay_ms=150, srtp_key_file="media.key")
        write_key(relayed.wall.folder / "media.key")
        self.cut_one_of_two_paths(relayed)

    def test_the_wall_keeps_its_clock_and_its_step_sealed(self):
        wall = Wall(2, 1, tile=(64, 40), srtp_key_file="media.key", sections='[clock]\nsource = "wall"\n[sync]\nmode = "wall"\n')
        write_key(wall.folder / "media.key")
        make_source(wall.folder / "source", wall.picture, 20)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        server = wall.server("--play", "noise")
        clients = [wall.client(node, "--headless") for node in wall.nodes]
        whole = lambda: [node["report"]["tiles"][0]["shown_whole"] for node in wall.call("stats")["nodes"] if node.get("report")]
        wait_until(lambda: len(whole()) == 2 and min(whole()) > 60, 20, "both tiles to show frames")
        for process in (*clients, server):
            self.assertEqual(stop(process), 0)

    def test_another_implementation_opens_the_packets(self):
        wall = Wall(1, 1, tile=(64, 40), mtu=1500, fec="none", srtp_key_file="media.key")
        key = write_key(wall.folder / "media.key")
        pictures = make_source(wall.folder / "source", wall.picture, 1)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as node:
            node.settimeout(10)
            node.bind(("127.0.0.1", wall.streaming["base_port"]))
            server = wall.server("--play", "noise")
            packets = [node.recv(2048) for _ in range(40)]
        self.assertEqual(stop(server), 0)
        rows_seen = set()
        for packet in packets:
            self.assertLessEqual(len(packet), 1472)
            plain = opened(packet, key)
            at, rows = 12 + 24 + 2, []
            while True:  # RFC 4175 row headers
                length, line, offset = struct.unpack("!HHH", plain[at:at + 6])
                rows.append((length, line & 0x7fff, offset & 0x7fff))
                at += 6
                if not offset & 0x8000:
                    break
            for length, line, offset in rows:
                pixels = np.frombuffer(plain[at:at + length], np.uint8).reshape(-1, 3)
                np.testing.assert_array_equal(pixels, pictures[0][line, offset:offset + len(pixels)])
                at += length
                rows_seen.add(line)
            changed = bytearray(packet)
            changed[20] ^= 1  # the frame's time, which is not secret
            with self.assertRaises(Exception):
                opened(bytes(changed), key)
        self.assertEqual(rows_seen, set(range(40)))

    def test_nothing_is_shown_that_others_sealed(self):
        """A node with another key shows nothing and says why; packets from unknown sources between the wall's change nothing."""
        wall = Wall(1, 1, tile=(64, 40), srtp_key_file="media.key")
        write_key(wall.folder / "media.key")
        make_source(wall.folder / "source", wall.picture, 10)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        other = wall.folder / "other"
        other.mkdir()
        (other / "wall.toml").write_text(wall.file.read_text())
        write_key(other / "media.key")
        server = wall.server("--play", "noise")
        report = lambda: next((node["report"] for node in wall.call("stats")["nodes"] if node.get("report")), None)
        wrong = start(program("wall-client"), "--wall", other / "wall.toml", "--node", "node-0-0", "--headless", stderr=subprocess.PIPE, text=True)
        wait_until(lambda: (now := report()) and now["flows"][0]["unauthentic"] > 20, 10, "packets to be refused")
        self.assertEqual(report()["tiles"][0]["shown_whole"], 0)
        self.assertEqual(report()["flows"][0]["used"], 0)
        self.assertEqual(stop(wrong), 0)
        said = wrong.stderr.read()
        self.assertEqual(len(re.findall("not encrypted with this wall's key", said)), 1, said)

        right = wall.client("node-0-0", "--headless")
        wait_until(lambda: (now := report()) and now["tiles"][0]["shown_whole"] > 10, 10, "frames")
        before = report()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            for i in range(300):
                stranger.sendto(bytes([0x80, 96]) + struct.pack("!HII", i, 0, 1) + os.urandom(200), ("127.0.0.1", wall.streaming["base_port"]))
        wait_until(lambda: report()["flows"][0]["unauthentic"] >= 300, 5, "the forged packets to be counted")
        wait_until(lambda: report()["tiles"][0]["shown_whole"] > before["tiles"][0]["shown_whole"] + 20, 5, "more frames")
        self.assertEqual(report()["flows"][0]["lost"], before["flows"][0]["lost"])
        for process in (right, server):
            self.assertEqual(stop(process), 0)

    def test_a_key_that_is_none_is_said(self):
        wall = Wall(1, 1, tile=(64, 40), srtp_key_file="media.key")
        make_source(wall.folder / "source", wall.picture, 1)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        file = wall.folder / "media.key"
        for prepare, words in ((lambda: None, "media.key"), (lambda: write_key(file, "12"), "64 lower-case hex digits"),
                               (lambda: (write_key(file), file.chmod(0o644)), "everybody on this host may read the key")):
            prepare()
            for command in (("wall-server", "--content", wall.content, "--play", "noise"), ("wall-client", "--node", "node-0-0", "--headless")):
                result = run(program(command[0]), "--wall", wall.file, *command[1:], timeout=20)
                self.assertNotEqual(result.returncode, 0)
                self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
                self.assertIn(words, result.stderr)


if __name__ == "__main__":
    real_time.main()
