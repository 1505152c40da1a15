"""`pacing = "kernel"`: packets leave when they are due, kept by the queueing disciplines fq and etf. Times are those of a capture, behind the discipline."""
import pathlib
import struct
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from pictures import make_source  # noqa: E402
from wall import Wall, run, start, stop, wait_until  # noqa: E402

RATE, PACE, PLAYS_S = 30, 0.9, 4
DELTA_US = 300  # etf lets packets go so much before their time
TICKS_PER_S = 90_000  # of RTP timestamps, since 1970


def captured(file):
    """Time, RTP sequence number and timestamp of each packet of the first stream in a pcap file with nanoseconds: resends are another stream."""
    data = pathlib.Path(file).read_bytes()
    assert data[:4] == struct.pack("<I", 0xA1B23C4D)
    packets, at, stream = [], 24, None
    while at + 16 <= len(data):
        seconds, nanoseconds, length, _ = struct.unpack_from("<IIII", data, at)
        at += 16
        rtp = at + 14 + 20 + 8  # Ethernet, IPv4, UDP
        if at + length <= len(data):
            _, sequence, timestamp, source = struct.unpack_from(">HHII", data, rtp)
            stream = stream or source
            if source == stream:
                packets.append((seconds, nanoseconds, sequence, timestamp))
        at += length
    return packets


def late_us(packets):
    """By how much each packet left after it was due; of complete frames, without the first of all."""
    frames = {}
    for seconds, nanoseconds, sequence, timestamp in packets:
        frames.setdefault(timestamp, {})[sequence] = (seconds, nanoseconds)
    late = []
    complete = max(map(len, frames.values()))
    for timestamp, sent in list(frames.items())[1:-1]:
        if len(sent) < complete:
            continue  # which of its packets are missing is not known
        in_order = sorted(sent, key=lambda sequence: (sequence - next(iter(sent)) + 0x8000) % 0x10000)
        for number, sequence in enumerate(in_order):
            seconds, nanoseconds = sent[sequence]
            ticks = (seconds * TICKS_PER_S - timestamp) % 2**32
            ticks -= 2**32 if ticks >= 2**31 else 0
            due_us = number / len(in_order) * PACE / RATE * 1e6
            late.append(ticks * 1e6 / TICKS_PER_S + nanoseconds / 1000 - due_us)
    return late


class Pacing(unittest.TestCase):
    def tc(self, *words):
        done = run("tc", *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def play(self, **streaming):
        """Lateness of packets, and what the server and its node counted."""
        wall = Wall(1, 1, tile=(160, 100), rate=str(RATE), pacing="kernel", pace_fraction=PACE, burst_packets=1, mtu=1500, **streaming)
        make_source(wall.folder / "source", wall.picture, 30)
        wall.ingest(wall.folder / "source", "noise", "--rate", str(RATE))
        file = wall.folder / "packets.pcap"
        port = wall.streaming["base_port"]
        # Of the two copies on the loopback interface libpcap shows the one that arrives.
        capture = start("tcpdump", "-i", "lo", "-w", file, "--time-stamp-precision=nano", "-s", "64", "-U", "-B", "8192", "-Z", "root", "udp", "dst", "port", port,
                        stderr=-3)
        wait_until(file.exists, 20, "the capture")
        client = wall.client("node-0-0", "--headless")
        server = wall.server("--play", "noise")
        time.sleep(PLAYS_S)
        stats = wall.call("stats")
        for process in (server, client, capture):
            stop(process, timeout=30)
        flow = stats["nodes"][0]["report"]["flows"][0]
        print(f"{flow['lost']} of {flow['packets'] + flow['lost']} packets lost, {flow['repaired']} of them resent")
        late = sorted(late_us(captured(file)))
        print(f"{len(late)} packets; late by at least {late[0]:.1f} us, median {late[len(late) // 2]:.1f} us, p99 {late[len(late) * 99 // 100]:.1f} us, at most {late[-1]:.1f} us")
        return late, stats

    def leaves_in_time(self, late, early_max_us=0):
        """RTP timestamps are true to 11 us. The guest has one slow processor for all programs, so some packets wait for it."""
        self.assertGreater(len(late), RATE * (PLAYS_S - 2) * 30)
        self.assertGreater(late[0], -early_max_us - 15)
        self.assertLess(late[len(late) // 2], 100)
        self.assertLess(late[len(late) * 9 // 10], 300)

    def nearly_everything_comes(self, stats, loss_max):
        """Also RTCP, which carries no time: its round trip is known."""
        flow = stats["nodes"][0]["report"]["flows"][0]
        self.assertLessEqual(flow["lost"], loss_max * flow["packets"])
        self.assertGreater(stats["sender"][0]["rtt_us"], 0)

    def test_fq(self):
        self.tc("qdisc", "replace", "dev", "lo", "root", "fq")
        self.addCleanup(self.tc, "qdisc", "del", "dev", "lo", "root")
        late, stats = self.play()
        self.leaves_in_time(late)
        self.nearly_everything_comes(stats, loss_max=0)

    def test_etf(self):
        """etf drops what has no time: it has a separate class, with the media ports, which are even. It also drops what reaches it after its time."""
        self.tc("qdisc", "replace", "dev", "lo", "root", "handle", "1:", "prio", "bands", "2", "priomap", *["1"] * 16)
        self.addCleanup(self.tc, "qdisc", "del", "dev", "lo", "root")
        self.tc("qdisc", "add", "dev", "lo", "parent", "1:1", "etf", "clockid", "CLOCK_TAI", "delta", DELTA_US * 1000)
        self.tc("filter", "add", "dev", "lo", "parent", "1:", "protocol", "ip", "u32", "match", "ip", "protocol", "17", "0xff", "match", "u16", "0x0000", "0x0001", "at", "22",
                "flowid", "1:1")
        late, stats = self.play()
        self.leaves_in_time(late, early_max_us=DELTA_US)
        self.nearly_everything_comes(stats, loss_max=0.05)


if __name__ == "__main__":
    unittest.main(verbosity=2)
