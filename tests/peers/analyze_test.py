"""`wall-probe analyze` beside tshark's analysis of the same RTP streams."""
import json
import pathlib
import random
import re
import shutil
import struct
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from pictures import make_source  # noqa: E402
from wall import Wall, program, run, start, stop  # noqa: E402

# Of `tshark -z rtp,streams`: packets, lost, deltas and jitters in ms.
LINE = re.compile(r"0x0000ABCD .*?  (\d+) +(-?\d+) \([-\d.]+%\) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)")


def write_pcap(file, packets):
    """Packets of (time in ns, sequence number, timestamp, marker) as MPEG-2 video, whose clock rate RFC 3551 fixes."""
    with open(file, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
        for at, sequence, timestamp, marker in packets:
            rtp = struct.pack("!BBHII", 0x80, 33 | marker << 7, sequence & 0xFFFF, timestamp & 0xFFFFFFFF, 0xABCD) + bytes(100)
            udp = struct.pack("!HHHH", 40000, 50000, 8 + len(rtp), 0) + rtp
            ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])) + udp
            frame = bytes(12) + b"\x08\x00" + ip
            out.write(struct.pack("<IIII", at // 10**9, at % 10**9, len(frame), len(frame)) + frame)


def stream(rng):
    """60 frames of 20 packets, uneven in time; numbers and timestamps wrap."""
    return [(1_700_000_000 * 10**9 + frame * 33_333_333 + i * 1_500_000 + rng.randrange(400_000), 65000 + frame * 20 + i, 2**32 - 7000 + frame * 3000, int(i == 19))
            for frame in range(60) for i in range(20)]


def lossy(packets, rng):
    return packets[:1] + [p for p in packets[1:-1] if rng.random() > 0.02] + packets[-1:]


def doubled(packets, rng):
    return [copy for p in packets for copy in ([p, (p[0] + 1000, *p[1:])] if rng.random() < 0.02 else [p])]


def reordered(packets, rng):
    out = list(packets)
    for i in range(10, len(out) - 1, 37):
        first, second = out[i], out[i + 1]
        out[i], out[i + 1] = (first[0], *second[1:]), (second[0], *first[1:])
    return out


@unittest.skipUnless(shutil.which("tshark"), "no tshark")
class BesideTshark(unittest.TestCase):
    def analyze(self, file):
        result = run(program("wall-probe"), "analyze", file, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_loss_and_jitter(self):
        rng = random.Random(1)
        for changes in ((), (lossy,), (lossy, doubled), (lossy, reordered), (lossy, doubled, reordered)):
            with self.subTest([change.__name__ for change in changes]), tempfile.TemporaryDirectory() as folder:
                packets = stream(rng)
                for change in changes:
                    packets = change(packets, rng)
                file = pathlib.Path(folder) / "stream.pcap"
                write_pcap(file, packets)
                ours = self.analyze(file)["streams"][0]
                listed = run("tshark", "-r", file, "-d", "udp.port==50000,rtp", "-q", "-z", "rtp,streams").stdout
                theirs = LINE.search(listed)
                self.assertIsNotNone(theirs, listed)
                self.assertEqual(ours["packets"], int(theirs[1]))
                # tshark takes a packet that came twice for one that was not lost.
                self.assertEqual(ours["lost"] - ours["duplicates"], int(theirs[2]))
                self.assertEqual(ours["lost"], 1200 - len({p[1] for p in packets}))
                # The largest of all values of the jitter, to the last digit that tshark prints.
                self.assertAlmostEqual(ours["jitter_us_max"] / 1000, float(theirs[8]), delta=0.00051)
                # The mean weighs the first values otherwise there.
                self.assertAlmostEqual(ours["jitter_us_mean"] / 1000 / float(theirs[7]), 1, delta=0.02)

    def test_a_flow_of_ours(self):
        wall = Wall(1, 1, tile=(64, 40), mtu=1500, burst_packets=1)
        make_source(wall.folder / "source", wall.picture, 5)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        port = wall.streaming["base_port"]
        for kind in ("pcap", "pcapng"):
            with self.subTest(kind):
                file = wall.folder / f"flow.{kind}"
                tshark = start("tshark", "-q", "-i", "lo", "-f", f"udp portrange {port}-{port + 1}", "-F", kind, "-w", file, "-a", "duration:4")
                time.sleep(1.5)
                server = wall.server("--play", "noise")
                tshark.wait(20)
                stop(server)
                if not file.exists() or file.stat().st_size < 1000:
                    self.skipTest("no permission to capture")
                report = self.analyze(file)
                flow = report["streams"][0]
                self.assertEqual((flow["to"], flow["payload_type"], flow["clock_hz"]), (f"127.0.0.1:{port}", 96, 90000))
                self.assertEqual((flow["lost"], flow["duplicates"], flow["reordered"]), (0, 0, 0))
                self.assertGreater(flow["frames"], 20)
                self.assertAlmostEqual(flow["st2110_21"]["frame_interval_us"], 33333, delta=1)
                counted = run("tshark", "-r", file, "-d", f"udp.port=={port},rtp", "-Y", f"rtp.ssrc == {flow['ssrc']}").stdout
                self.assertEqual(flow["packets"], len(counted.splitlines()))


if __name__ == "__main__":
    real_time.main(verbosity=2)
