"""The same captures, of paths whose truth is known, analyzed by four programs: `wall-probe analyze`, tshark, GStreamer, and the formulas
of the RFCs in NumPy, written here without a look at the C++."""
import dataclasses
import json
import pathlib
import re
import shutil
import struct
import sys
import tempfile
import time
import unittest

import numpy as np

try:
    import gi
    gi.require_version("Gst", "1.0")
    gi.require_version("GstCheck", "1.0")
    from gi.repository import Gst, GstCheck
except (ImportError, ValueError):
    Gst = None

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from wall import program, run  # noqa: E402

CLOCK_HZ = 90_000
TICK_US = 1e6 / CLOCK_HZ
# What bytes of a captured packet are: Ethernet, IP and UDP are 42.
PACKET = np.dtype([("s", "<u4"), ("ns", "<u4"), ("kept", "<u4"), ("bytes", "<u4"), ("headers", "V42"),
                   ("flags", "u1"), ("type", "u1"), ("sequence", ">u2"), ("timestamp", ">u4"), ("ssrc", ">u4"), ("rest", "V74")])


def read_capture(file):
    packets = np.frombuffer(file.read_bytes(), PACKET, offset=24)
    assert np.all(packets["kept"] == 128)
    return packets


def arrivals_ns(capture):
    return capture["s"].astype(np.int64) * 10**9 + capture["ns"]


@dataclasses.dataclass
class Figures:
    """By RFC 3550 (loss in appendix A.3, jitter in section 6.4.1), RFC 4737 section 3, RFC 5560, RFC 3611 section 4.1 and RFC 5481."""
    packets: int
    bytes: int
    duration_s: float
    gbit_per_s: float
    lost: int
    loss_runs: int
    loss_run_max: int
    duplicates: int
    reordered: int
    frames: int
    jitter_us: float
    jitter_us_mean: float
    jitter_us_max: float
    frame_jitter_us: float
    frame_interval_us_min: float
    frame_interval_us_mean: float
    frame_interval_us_max: float
    pdv_us_p50: float
    pdv_us_p99: float
    pdv_us_max: float


def unwrapped(values, bits):
    """Numbers that wrap, as numbers that do not: each is within half the range of the one before."""
    half = 1 << (bits - 1)
    steps = (np.diff(values.astype(np.int64)) + half) % (2 * half) - half
    return int(values[0]) + np.concatenate(([0], np.cumsum(steps)))


def jitters_us(arrival_ns, ticks):
    """RFC 3550: J(i) = J(i-1) + (|D(i-1,i)| - J(i-1)) / 16, after each packet but the first."""
    transit_us = (arrival_ns - arrival_ns[0]) / 1000 - (ticks - ticks[0]) * TICK_US
    jitter, values = 0.0, []
    for difference in np.abs(np.diff(transit_us)):
        jitter += (difference - jitter) / 16
        values.append(jitter)
    return np.array(values)


def nearest_rank(values, percent):
    return np.sort(values)[max(int(np.ceil(len(values) * percent / 100)), 1) - 1]


def first_packets(numbers, ticks, markers):
    """Frames whose first packet was captured and is known to be the first, since the frame before ended with a marker just before it: index
    of the frame, index of the packet."""
    frames = np.unique(ticks)
    marked = {int(tick): int(number) for number, tick in zip(numbers[markers], ticks[markers])}
    where = {}
    for index, number in enumerate(numbers):
        where.setdefault(int(number), index)
    found = []
    for frame in range(1, len(frames)):
        end = marked.get(int(frames[frame - 1]))
        if end is not None and end + 1 in where:
            found.append((frame, where[end + 1]))
    return np.array(found), len(frames)


def figures_of(capture):
    arrival = arrivals_ns(capture)
    numbers, ticks = unwrapped(capture["sequence"], 16), unwrapped(capture["timestamp"], 32)
    different, first_copies = np.unique(numbers, return_index=True)
    gaps = np.diff(different) - 1
    in_order = numbers[np.sort(first_copies)]
    firsts, frames = first_packets(numbers, ticks, capture["type"] >> 7 == 1)
    jitters = jitters_us(arrival, ticks)
    frame, packet = firsts[:, 0], firsts[:, 1]
    transit_us = (arrival[packet] - arrival[0]) / 1000 - (ticks[packet] - ticks[0]) * TICK_US
    pdv = transit_us - transit_us.min()
    intervals = np.diff(arrival[packet])[np.diff(frame) == 1] / 1000
    octets = int(np.sum(capture["bytes"])) - 42 * len(capture)
    duration = (arrival.max() - arrival[0]) / 1e9
    return Figures(
        packets=len(capture), bytes=octets, duration_s=duration, gbit_per_s=octets * 8e-9 / duration,
        lost=int(gaps.sum()), loss_runs=int(np.count_nonzero(gaps)), loss_run_max=int(gaps.max()),
        duplicates=len(numbers) - len(different), reordered=int(np.count_nonzero(in_order[1:] < np.maximum.accumulate(in_order)[:-1])),
        frames=frames, jitter_us=jitters[-1], jitter_us_mean=jitters.mean(), jitter_us_max=jitters.max(),
        frame_jitter_us=jitters_us(arrival[packet], ticks[packet])[-1],
        frame_interval_us_min=intervals.min(), frame_interval_us_mean=intervals.mean(), frame_interval_us_max=intervals.max(),
        pdv_us_p50=nearest_rank(pdv, 50), pdv_us_p99=nearest_rank(pdv, 99), pdv_us_max=pdv.max())


def by_tshark(file, capture, folder):
    """tshark knows the clock rate of payload types that RFC 3551 fixes, and of others only by their SDP: it is given the same packets as
    type 33, whose clock also has 90 kHz."""
    renamed = capture.copy()
    renamed["type"] = renamed["type"] & 0x80 | 33
    copy = folder / "renamed.pcap"
    copy.write_bytes(file.read_bytes()[:24] + renamed.tobytes())
    listed = run("tshark", "-r", copy, "-d", "udp.port==50000,rtp", "-q", "-z", "rtp,streams").stdout
    found = re.search(r"0x0000ABCD +MPEG-II streams +(\d+) +(-?\d+) \([-\d.]+%\) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)", listed)
    assert found, listed
    names = ("packets", "lost", "delta_ms_min", "delta_ms_mean", "delta_ms_max", "jitter_ms_min", "jitter_ms_mean", "jitter_ms_max")
    return {name: float(value) for name, value in zip(names, found.groups())}


def mean_of_tshark(jitters, markers):
    """It leaves packets with a marker out of the mean, but not out of the number of packets by which it weighs."""
    mean = 0.0
    for index, (jitter, marked) in enumerate(zip(jitters, markers[1:]), 1):
        if not marked:
            mean = (mean * index + jitter) / (index + 1)
    return mean


def element(kind, **properties):
    made = Gst.ElementFactory.make(kind)
    for name, value in properties.items():
        made.set_property(name.replace("_", "-"), value)
    return made


def through(middle, capture, into, out_of):
    """Hands all packets of a capture to an element, each stamped with its time of capture, before any time passes; then lets it pass. So
    nothing depends on how fast this runs."""
    arrival = arrivals_ns(capture)
    clock = GstCheck.TestClock.new()
    sink = element("fakesink", sync=False)
    sink.set_property("async", False)
    pipeline = Gst.Pipeline.new()
    pipeline.use_clock(clock)
    pipeline.add(middle)
    pipeline.add(sink)
    source = Gst.Pad.new("packets", Gst.PadDirection.SRC)
    assert source.link(into) == Gst.PadLinkReturn.OK
    assert middle.get_static_pad(out_of).link(sink.get_static_pad("sink")) == Gst.PadLinkReturn.OK
    source.set_active(True)
    pipeline.set_state(Gst.State.PLAYING)
    assert pipeline.get_state(30 * Gst.SECOND)[0] == Gst.StateChangeReturn.SUCCESS
    segment = Gst.Segment.new()
    segment.init(Gst.Format.TIME)
    caps = f"application/x-rtp,media=(string)video,clock-rate=(int){CLOCK_HZ},encoding-name=(string)RAW,payload=(int)96"
    for event in (Gst.Event.new_stream_start("capture"), Gst.Event.new_caps(Gst.Caps.from_string(caps)), Gst.Event.new_segment(segment)):
        assert source.push_event(event)
    for packet, passed in zip(capture, arrival - arrival[0]):
        buffer = Gst.Buffer.new_wrapped(packet.tobytes()[16 + 42:])
        buffer.pts = buffer.dts = int(passed)
        assert source.push(buffer) == Gst.FlowReturn.OK
    source.push_event(Gst.Event.new_eos())
    deadline = time.monotonic() + 60
    while (end := pipeline.get_bus().pop_filtered(Gst.MessageType.EOS | Gst.MessageType.ERROR)) is None and time.monotonic() < deadline:
        if clock.peek_id_count() > 0:
            clock.crank()  # whatever waits for a time has come to it
        else:
            time.sleep(0.0005)
    assert end is not None and end.type == Gst.MessageType.EOS, end
    return pipeline


def by_gstreamer(capture):
    """The statistics of an RTP session and of a jitter buffer, neither of which is to take reordering for a restarted sender."""
    statistics = {}
    session = element("rtpsession", max_misorder_time=1_000_000)
    pipeline = through(session, capture, session.request_pad_simple("recv_rtp_sink"), "recv_rtp_src")
    statistics["rtpsession"] = session.get_property("internal-session").get_property("stats").to_string().replace("\\", "")
    pipeline.set_state(Gst.State.NULL)
    buffer = element("rtpjitterbuffer", latency=60_000, do_lost=True, max_misorder_time=1_000_000)
    pipeline = through(buffer, capture, buffer.get_static_pad("sink"), "src")
    statistics["rtpjitterbuffer"] = buffer.get_property("stats").to_string()
    pipeline.set_state(Gst.State.NULL)
    return {kind: {name: int(value) for name, value in re.findall(r"([\w-]+)=\((?:u?int|guint64)\)(-?\d+)", text)}
            for kind, text in statistics.items()}


class SameCaptures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        made = run(program("truth_tables"), "--captures", cls.folder)
        assert made.returncode == 0, made.stderr
        cls.paths = json.loads((cls.folder / "truth.json").read_text())
        for path in cls.paths:
            path["capture"] = read_capture(cls.folder / path["file"])
            path["figures"] = figures_of(path["capture"])

    def on_each(self, check):
        self.assertGreater(len(self.paths), 15)
        for path in self.paths:
            with self.subTest(path["path"]):
                check(path, path["figures"])

    def test_analyze(self):
        """Counts are equal to the truth, and all figures to those in NumPy: counts exactly, times to two nanoseconds, as `analyze` rounds
        RTP timestamps down to whole ones."""
        def check(path, figures):
            result = run(program("wall-probe"), "analyze", self.folder / path["file"], "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            ours = json.loads(result.stdout)["streams"][0]
            for name in ("packets", "bytes", "lost", "loss_runs", "loss_run_max", "duplicates", "reordered"):
                self.assertEqual(ours[name], path["truth"][name], name)
            for name, value in dataclasses.asdict(figures).items():
                if isinstance(value, int):
                    self.assertEqual(ours[name], value, name)
                else:
                    self.assertAlmostEqual(ours[name], value, delta=0.002 if name.endswith("_us") or "_us_" in name else 1e-9, msg=name)

        self.on_each(check)

    @unittest.skipUnless(shutil.which("tshark"), "no tshark")
    def test_tshark(self):
        def check(path, figures):
            capture = path["capture"]
            theirs = by_tshark(self.folder / path["file"], capture, self.folder)
            self.assertEqual(theirs["packets"], figures.packets)
            # It expects packets up to the one that came last, not to the highest number; takes one that came twice for one that was not
            # lost; and counts 65,536 too many where packets are reordered just as their numbers wrap.
            numbers = unwrapped(capture["sequence"], 16)
            after_the_last = int(numbers.max() - numbers[-1])
            too_many = theirs["lost"] - (figures.lost - figures.duplicates - after_the_last)
            self.assertIn(too_many, (0, 65_536) if figures.reordered > 0 else (0,))
            # To the last digit that it prints.
            arrival = arrivals_ns(capture)
            self.assertAlmostEqual(theirs["delta_ms_max"], np.diff(arrival).max() / 1e6, delta=0.00051)
            self.assertAlmostEqual(theirs["jitter_ms_max"], figures.jitter_us_max / 1000, delta=0.00051)
            jitters = jitters_us(arrival, unwrapped(capture["timestamp"], 32)) / 1000
            self.assertAlmostEqual(theirs["jitter_ms_mean"], mean_of_tshark(jitters, capture["type"] >> 7 == 1), delta=0.00051)

        self.on_each(check)

    @unittest.skipUnless(Gst, "no GStreamer for Python (gir1.2-gstreamer-1.0)")
    def test_gstreamer(self):
        Gst.init(None)

        def check(path, figures):
            theirs = by_gstreamer(path["capture"])
            buffer, session = theirs["rtpjitterbuffer"], theirs["rtpsession"]
            self.assertEqual((buffer["num-pushed"], buffer["num-lost"], buffer["num-duplicates"], buffer["num-late"]),
                             (figures.packets - figures.duplicates, figures.lost, figures.duplicates, 0))
            # Of all packets in the order of arrival, in whole nanoseconds at each step.
            self.assertAlmostEqual(buffer["avg-jitter"] / 1000, figures.jitter_us, delta=0.05)
            # In whole units of the RTP clock.
            self.assertAlmostEqual(session["jitter"] * TICK_US, figures.jitter_us, delta=1.5 * TICK_US)
            if figures.reordered == 0:
                # It expects packets from the second on, by which it believes the stream, but counts the first as received; and it takes
                # duplicates for packets that were not lost.
                self.assertEqual(session["packets-received"], figures.packets)
                self.assertEqual(session["packets-lost"], figures.lost - figures.duplicates - 1)

        self.on_each(check)


if __name__ == "__main__":
    unittest.main(verbosity=2)
