"""Independent programs check us, both ways: GStreamer and FFmpeg receive our flows from our SDP, we show theirs, tshark
dissects our RTP and RTCP."""
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from pictures import make_source, shown_lines  # noqa: E402
from wall import Wall, program, run, start, stop  # noqa: E402

FORMATS = {"rgb8": ("RGB", 8, 96, "rgb24"), "ycbcr422-10": ("YCbCr-4:2:2", 10, 98, "bitpacked")}


def stored_bands(store, wall, tile_bytes):
    """The bytes of tile 0,0 in every frame, as they lie in the store."""
    stripe = np.load(store / "tile-0-0.npy", mmap_mode="r")
    pixels = stripe["frame"] if stripe.dtype.names else stripe
    return [pixels[i].tobytes() for i in range(len(pixels))]


class Receivers(unittest.TestCase):
    """A flow of ours, received by others: the same bytes as in the store."""

    def served(self, pixel_format):
        wall = Wall(1, 1, tile=(160, 96), rate="10", pixel_format=pixel_format, mtu=1500)
        make_source(wall.folder / "source", wall.picture, 10)
        store = wall.ingest(wall.folder / "source", "noise", "--rate", "10")
        sdp = wall.folder / "sdp"
        written = run(program("wall-server"), "--wall", wall.file, "--content", wall.content, "--sdp", sdp, "--play", "noise")
        self.assertEqual(written.returncode, 0, written.stderr)
        return wall, store, sdp / "flow-0.sdp"

    def check(self, output, bands, least=5):
        size = len(bands[0])
        data = output.read_bytes()
        frames = [data[i * size:(i + 1) * size] for i in range(len(data) // size)]
        # The first frame a receiver joins may be cut.
        exact = sum(frame in bands for frame in frames)
        self.assertGreaterEqual(exact, least, f"{len(frames)} frames received")
        self.assertTrue(all(frame in bands for frame in frames[1:]), "frames differ from the store")

    def test_ffmpeg(self):
        for pixel_format in FORMATS:
            with self.subTest(pixel_format):
                wall, store, sdp = self.served(pixel_format)
                output = wall.folder / "out.raw"
                receiver = start("ffmpeg", "-v", "error", "-protocol_whitelist", "file,udp,rtp", "-analyzeduration", "0", "-probesize", "32",
                                 "-i", sdp, "-c:v", "copy", "-f", "rawvideo", "-frames:v", "12", "-y", output, stdin=subprocess.DEVNULL)
                time.sleep(1)
                server = wall.server("--play", "noise")
                receiver.wait(20)
                self.assertEqual(stop(server), 0)
                self.check(output, stored_bands(store, wall, 0))

    def test_gstreamer(self):
        for pixel_format, (sampling, depth, payload, _) in FORMATS.items():
            with self.subTest(pixel_format):
                wall, store, _ = self.served(pixel_format)
                output = wall.folder / "out.raw"
                caps = (f"application/x-rtp,media=(string)video,clock-rate=(int)90000,encoding-name=(string)RAW,payload=(int){payload},"
                        f"sampling=(string){sampling},depth=(string){depth},width=(string)160,height=(string)96")
                receiver = start("gst-launch-1.0", "-q", "-e", "udpsrc", f"port={wall.streaming['base_port']}", "buffer-size=4194304", f"caps={caps}",
                                 "!", "rtpvrawdepay", "!", "filesink", f"location={output}")
                time.sleep(1)
                server = wall.server("--play", "noise")
                time.sleep(2.5)
                stop(receiver, signal.SIGINT)
                self.assertEqual(stop(server), 0)
                bands = stored_bands(store, wall, 0)
                size = len(bands[0])
                # GStreamer pads rows to 4 bytes: 160 pixels need none in either format.
                self.assertEqual(output.stat().st_size % size, 0)
                self.check(output, bands)


class Senders(unittest.TestCase):
    """A tile of ours, sent by others: many row headers per packet, any start."""

    def show(self, wall, sender_command, expected, tolerance):
        dump = wall.folder / "dump"
        client = wall.client("node-0-0", "--headless", "--dump", dump)
        time.sleep(1)
        sender = start(*sender_command, stdin=subprocess.DEVNULL)
        time.sleep(4)
        stop(sender, signal.SIGINT)
        self.assertEqual(stop(client), 0)
        whole = [line for line in shown_lines(dump) if line["whole"]]
        self.assertGreater(len(whole), 10)
        # A foreign sender gives no frame numbers: the dump holds the newest image as frame 0.
        got = np.asarray(Image.open(dump / "tile-0-0" / "00000000.png").convert("RGB")).astype(int)
        self.assertLessEqual(np.abs(got - expected.astype(int)).max(), tolerance)

    def still(self, wall):
        make_source(wall.folder / "still", wall.picture, 1)
        return np.asarray(Image.open(wall.folder / "still/00000.png")), wall.folder / "still/00000.png"

    def test_gstreamer(self):
        wall = Wall(1, 1, tile=(160, 96), mtu=1500)
        picture, file = self.still(wall)
        self.show(wall, ["gst-launch-1.0", "-q", "filesrc", f"location={file}", "!", "pngdec", "!", "imagefreeze", "!", "videoconvert", "!",
                         "video/x-raw,format=RGB,framerate=15/1", "!", "rtpvrawpay", "mtu=1400", "pt=96", "!",
                         "udpsink", "host=127.0.0.1", f"port={wall.streaming['base_port']}"], picture, 0)

    def test_ffmpeg(self):
        wall = Wall(1, 1, tile=(160, 96), mtu=1500)
        picture, file = self.still(wall)
        self.show(wall, ["ffmpeg", "-v", "error", "-re", "-loop", "1", "-framerate", "15", "-i", file, "-pix_fmt", "rgb24", "-c:v", "rawvideo",
                         "-strict", "experimental", "-f", "rtp", "-payload_type", "96", f"rtp://127.0.0.1:{wall.streaming['base_port']}"], picture, 0)


@unittest.skipUnless(shutil.which("tshark"), "no tshark")
class Dissection(unittest.TestCase):
    def test_tshark_has_no_complaint(self):
        wall = Wall(1, 1, tile=(64, 40), mtu=1500)
        make_source(wall.folder / "source", wall.picture, 5)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        port = wall.streaming["base_port"]
        # UDP_SEGMENT would show as packets above the MTU in a loopback capture: send datagram by datagram here.
        capture = wall.folder / "flow.pcapng"
        tshark = start("tshark", "-q", "-i", "lo", "-f", f"udp portrange {port}-{port + 1}", "-w", capture, "-a", "duration:5",
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1.5)
        server = wall.server("--play", "noise")
        client = wall.client("node-0-0", "--headless")
        tshark.wait(20)
        stop(client)
        stop(server)
        if not capture.exists() or capture.stat().st_size < 1000:
            self.skipTest("no permission to capture")
        decode = ["-r", str(capture), "-d", f"udp.port=={port},rtp", "-d", f"udp.port=={port + 1},rtcp"]
        rtp = run("tshark", *decode, "-Y", "rtp", "-T", "fields", "-e", "rtp.version", "-e", "rtp.p_type", "-e", "rtp.ext")
        self.assertGreater(len(rtp.stdout.splitlines()), 50, rtp.stderr)
        self.assertEqual(set(rtp.stdout.splitlines()), {"2\t96\t1"})
        types = run("tshark", *decode, "-Y", "rtcp", "-T", "fields", "-e", "rtcp.pt")
        self.assertRegex(types.stdout, r"200,202")
        self.assertRegex(types.stdout, r"201,207,202")
        trouble = run("tshark", *decode, "-Y", "_ws.malformed || (_ws.expert.severity >= warning && (rtp || rtcp))", "-T", "fields", "-e", "_ws.expert.message")
        self.assertEqual(trouble.stdout.strip(), "")


if __name__ == "__main__":
    real_time.main(verbosity=2)
