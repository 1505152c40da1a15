"""STAMP and TWAMP-Light beside independent senders and reflectors, written here from RFC 8762, 8972 and 5357, and tshark."""
import hashlib
import hmac
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import free_ports, free_tcp_port, port_open, program, run, start, stop, wait_until  # noqa: E402

NTP_EPOCH = 2208988800
KEY = bytes(range(32))


def ntp(seconds):
    return struct.pack("!II", int(seconds) + NTP_EPOCH, int(seconds % 1 * 2**32))


def seconds_of(wire, is_ptp=False):
    whole, part = struct.unpack("!II", wire)
    return whole + part / 10**9 if is_ptp else whole - NTP_EPOCH + part / 2**32


def digest(*parts):
    return hmac.new(KEY, b"".join(parts), hashlib.sha256).digest()[:16]


def tlv(kind, value, flags=0x80):
    return struct.pack("!BBH", flags, kind, len(value)) + value


def tlvs_of(rest):
    out = []
    while rest:
        flags, kind, length = struct.unpack("!BBH", rest[:4])
        out.append((flags, kind, rest[4:4 + length]))
        rest = rest[4 + length:]
    return out


class Reflector:
    """Of another make: stateful, and knows no extensions; what lies behind the base packet becomes zeros, as TWAMP-Light allows."""

    def __init__(self, authenticated=False, ptp=False, residence=0.0):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(0.1)
        self.port = self.socket.getsockname()[1]
        self.authenticated, self.ptp, self.residence = authenticated, ptp, residence
        self.seen, self.running = [], True
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def time(self):
        now = time.time_ns()
        return struct.pack("!II", now // 10**9, now % 10**9) if self.ptp else ntp(now / 1e9)

    def run(self):
        count = 0
        error = struct.pack("!H", 0xC001 if self.ptp else 0x8001)  # synchronized, to 1/2^32 s
        while self.running:
            try:
                packet, sender = self.socket.recvfrom(65536)
            except TimeoutError:
                continue
            received = self.time()
            self.seen.append(packet)
            time.sleep(self.residence)
            if self.authenticated:
                if digest(packet[:96]) != packet[96:112]:
                    continue
                signed = (struct.pack("!I12x", count) + self.time() + error + bytes(6) + received + bytes(8) + packet[:4] + bytes(12) +
                          packet[16:24] + packet[24:26] + bytes(6) + struct.pack("!B15x", 64))
                reply = signed + digest(signed)
            else:
                reply = struct.pack("!I", count) + self.time() + error + bytes(2) + received + packet[:14] + bytes(2) + b"\x40" + bytes(3)
            self.socket.sendto(reply + bytes(len(packet) - len(reply)), sender)
            count += 1

    def end(self):
        self.running = False
        self.thread.join()
        self.socket.close()


class Stamp(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.key = self.folder / "key"
        self.key.write_text(KEY.hex() + "\n")

    def reflector(self, *options):
        """wall-probe's; the port."""
        port, where = free_ports(2), f"127.0.0.1:{free_tcp_port()}"
        server = start(program("wall-probe"), "serve", "--listen", where, "--stamp", port, *options)
        self.addCleanup(stop, server)
        wait_until(lambda: port_open(where), 10, "wall-probe serve")
        return port

    def exchange(self, port, packet):
        """The reply, or None; with the times around it."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.settimeout(1)
            udp.connect(("127.0.0.1", port))
            before = time.time()
            udp.send(packet)
            try:
                return udp.recv(65536), before, time.time()
            except TimeoutError:
                return None, before, time.time()

    def sent_to(self, peer, *options):
        done = run(program("wall-probe"), "stamp", f"127.0.0.1:{peer.port}", "--count", 20, "--interval-ms", 5, "--wait-ms", 500, "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["data"]

    def test_a_twamp_light_sender_is_answered_in_its_length(self):
        port = self.reflector()
        for number, padding in enumerate((27, 30, 100, 1400)):
            packet = struct.pack("!I", number) + ntp(time.time()) + b"\x3f\xff" + os.urandom(2) * (padding // 2) + bytes(padding % 2)
            reply, before, after = self.exchange(port, packet)
            self.assertEqual(len(reply), len(packet))
            self.assertEqual(reply[24:38], packet[:14])
            received, sent = seconds_of(reply[16:24]), seconds_of(reply[4:12])
            self.assertTrue(before - 1e-6 <= received <= sent <= after + 1e-6, (before, received, sent, after))
            self.assertEqual(reply[40], 64)  # the TTL that Linux sends with
        short = struct.pack("!I", 9) + ntp(time.time()) + b"\x3f\xff"
        self.assertIsNone(self.exchange(port, short)[0])
        reply = self.exchange(self.reflector("--stamp-answer-short"), short)[0]
        self.assertEqual((len(reply), reply[24:38]), (44, short))

    def test_a_stamp_senders_extensions_are_answered(self):
        port = self.reflector("--stamp-extension-key", self.key)
        head = struct.pack("!I", 5) + ntp(time.time()) + b"\x80\x01" + b"\x12\x34" + bytes(28)
        extensions = (tlv(4, b"\xb8\0\0\0") + tlv(5, struct.pack("!III", 6, 0, 0)) + tlv(99, b"abc") + tlv(3, bytes(4)) + tlv(7, bytes(16)) + tlv(1, os.urandom(50)))
        packet = head + extensions + tlv(8, digest(head[:4], extensions))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.settimeout(2)
            udp.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 10 << 2 | 1)
            udp.setsockopt(socket.IPPROTO_IP, 13, 1)  # IP_RECVTOS
            udp.connect(("127.0.0.1", port))
            udp.send(packet)
            first = udp.recv(65536)
            udp.send(packet.replace(head[4:12], ntp(time.time())))
            reply, control, _, _ = udp.recvmsg(65536, 64)
        self.assertEqual(len(reply), len(packet))
        self.assertEqual((reply[:4], reply[14:16]), (struct.pack("!I", 1), b"\x12\x34"))
        self.assertEqual(control[0][2][0], 0xB8)  # the class that was asked for
        answers = tlvs_of(reply[44:])
        self.assertEqual([(flags, kind) for flags, kind, _ in answers], [(0, 4), (0, 5), (0x80, 99), (0, 3), (0, 7), (0, 1), (0, 8)])
        self.assertEqual(answers[0][2], struct.pack("!HH", 46 << 10 | 10 << 4 | 1 << 2, 0))
        self.assertEqual(struct.unpack("!III", answers[1][2]), (6, 2, 2))
        self.assertEqual(answers[2][2], b"abc")
        self.assertEqual(answers[4][2], first[:12] + b"\x02\0\0\0")  # the reply before: number, time, by software
        self.assertEqual(answers[6][2], digest(reply[:4], reply[44:-20]))
        forged, _, _ = self.exchange(port, packet[:-1] + bytes([packet[-1] ^ 1]))
        self.assertEqual([flags for flags, _, _ in tlvs_of(forged[44:])], [0x20, 0x20, 0xA0, 0x20, 0x20, 0x20, 0x20])

    def test_an_authenticated_sender_is_answered_and_nobody_else(self):
        port = self.reflector("--stamp-key", self.key, "--stamp-ptp", "--stamp-stateless")
        signed = struct.pack("!I12x", 77) + ntp(time.time()) + b"\x80\x01" + b"\x12\x34" + bytes(68)
        reply, before, after = self.exchange(port, signed + digest(signed))
        self.assertEqual((len(reply), reply[96:]), (112, digest(reply[:96])))
        self.assertEqual((reply[:4], reply[48:52], reply[64:74]), (signed[:4], signed[:4], signed[16:26]))
        self.assertEqual(reply[24] & 0x40, 0x40)  # PTP's format
        received = seconds_of(reply[32:40], is_ptp=True)
        self.assertTrue(any(before - 1e-3 <= received - tai <= after + 1e-3 for tai in (0, 37)), received)
        self.assertIsNone(self.exchange(port, signed + bytes(16))[0])
        self.assertIsNone(self.exchange(port, bytes(44))[0])

    def test_a_twamp_light_reflector_is_measured(self):
        for options in ([], ["--plain"], ["--bytes", "300"]):
            with self.subTest(options):
                peer = Reflector(residence=0.001)
                try:
                    result = self.sent_to(peer, *options)
                finally:
                    peer.end()
                figures = result["figures"]
                self.assertEqual((figures["packets"], figures["lost"], figures["strange"], figures["integrity_failed"]), (20, 0, 0, 0))
                self.assertGreater(figures["reflector_us_min"], 1000)
                self.assertLess(figures["rtt_us_min"], 1000)
                self.assertNotIn("clock_source", result["reflector"])
                self.assertEqual({len(packet) for packet in peer.seen}, {44 if "--plain" in options else 300 if options else 76})
                if "--plain" in options:
                    self.assertEqual({packet[14:] for packet in peer.seen}, {bytes(30)})

    def test_an_authenticated_reflector_with_times_of_ptp_is_measured(self):
        peer = Reflector(authenticated=True, ptp=True)
        try:
            figures = self.sent_to(peer, "--key", self.key)["figures"]
            self.assertEqual((figures["lost"], figures["strange"]), (0, 0))
            # Its extensions are not signed: they are not trusted.
            self.assertEqual(figures["integrity_failed"], 0)
            self.assertLess(figures["forward_delay_us_p50"], 100_000)
            self.assertGreater(figures["forward_delay_us_p50"], 0)
        finally:
            peer.end()
        for packet in peer.seen:
            self.assertEqual(packet[96:112], digest(packet[:96]))
            self.assertEqual(tlvs_of(packet[112:])[-1], (0x80, 8, digest(packet[:4], packet[112:-20])))

    @unittest.skipUnless(shutil.which("tshark"), "no tshark")
    def test_tshark_dissects_both_directions(self):
        """Through a relay that notes what passes."""
        port, passed = self.reflector(), []
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as near, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as far:
            near.bind(("127.0.0.1", 0))
            far.connect(("127.0.0.1", port))
            near.settimeout(5)
            far.settimeout(5)
            sender = start(program("wall-probe"), "stamp", f"127.0.0.1:{near.getsockname()[1]}", "--count", 3, "--interval-ms", 5, "--plain", "--dscp", 46, stdout=subprocess.DEVNULL)
            self.addCleanup(stop, sender)
            for _ in range(3):
                request, client = near.recvfrom(65536)
                far.send(request)
                reply = far.recv(65536)
                near.sendto(reply, client)
                passed += [(40000, 862, request), (862, 40000, reply)]
            self.assertEqual(sender.wait(10), 0)
        file = self.folder / "stamp.pcap"
        with open(file, "wb") as out:
            out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101))  # IP without a link layer
            for at, (source, target, payload) in enumerate(passed):
                udp = struct.pack("!HHHH", source, target, 8 + len(payload), 0) + payload
                packet = struct.pack("!BBHHHBBH4s4s", 0x45, 46 << 2, 20 + len(udp), 0, 0, 255, 17, 0, bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])) + udp
                out.write(struct.pack("<IIII", 1_790_000_000 + at, 0, len(packet), len(packet)) + packet)
        shown = run("tshark", "-r", file, "-d", "udp.port==862,twamp.test", "-T", "json", "-O", "twamp.test")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        dissected = [packet["_source"]["layers"]["twamp.test"] for packet in json.loads(shown.stdout)]
        self.assertNotIn("malformed", shown.stdout.lower())
        for number, fields in enumerate(dissected):
            self.assertEqual(int(fields["twamp.test.seq_number"]), number // 2)
            if number % 2 == 1:
                self.assertEqual(int(fields["twamp.test.sender_seq_number"]), number // 2)
                self.assertEqual(int(fields["twamp.test.sender_ttl"]), 64)  # the relay's
        times = run("tshark", "-r", file, "-d", "udp.port==862,twamp.test", "-T", "fields", "-e", "twamp.test.timestamp", "-e", "twamp.test.receive_timestamp")
        self.assertIn(time.strftime("%b", time.gmtime()), times.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
