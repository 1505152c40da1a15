"""Sound from a film to a node: kept by ingest, sent as AES67, and played with its frames."""
import json
import os
import pathlib
import sys
import time
import unittest

import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from click_film import FLASH, RATE, SECONDS, clicks_in, make_film  # noqa: E402
from wall import Wall, port_open, program, run, start, stop, wait_until  # noqa: E402


class TwoServers(Wall):
    """A server and its hot standby, on two addresses."""

    def write(self):
        if not hasattr(self, "addresses"):
            self.addresses = {name: f"127.{os.getpid() >> 8 & 127 | 1}.{os.getpid() & 255}.{last}" for name, last in (("a", 1), ("b", 2))}
            self.port = self.control.split(":")[1]
        self.control = f"{self.addresses['a']}:{self.port}"
        super().write()
        text = self.file.read_text()
        begin, end = text.index("[[server]]"), text.index("[streaming]")
        servers = "".join(f'[[server]]\nname = "{name}"\ncontrol = "{address}:{self.port}"\ninterfaces = ["{address}"]\n' for name, address in self.addresses.items())
        self.file.write_text(text[:begin] + servers + 'standby_for = "a"\nstandby = "hot"\n' + text[end:])

    def serve(self, name):
        process = start(program("wall-server"), "--wall", self.file, "--server", name, "--content", self.content)
        wait_until(lambda: port_open(f"{self.addresses[name]}:{self.port}"), 10, f"server {name}")
        return process


class Sound(unittest.TestCase):
    stall_max_s = 0.015  # a node that is later than 20 ms with a packet skips it

    def wall(self, kind=Wall, **options):
        wall = kind(1, 1, audio=["node-0-0"], **options)
        self.sound = make_film(wall.folder / "film.mkv")
        wall.ingest(wall.folder / "film.mkv", "film")
        return wall

    def test_the_store_has_the_sound_of_the_film(self):
        wall = self.wall()
        stored = np.load(wall.content / "film/audio.npy", mmap_mode="r")
        self.assertEqual(stored.shape, (SECONDS * RATE, 1))
        self.assertTrue((stored[:, 0] == self.sound).all())
        self.assertEqual(run(program("wall-ingest"), "--verify", wall.content / "film").returncode, 0)

    def play(self, wall, seconds):
        """The dump of a node that has played for some time."""
        dump = wall.folder / "dump"
        server = wall.server("--play", "film")
        client = wall.client("node-0-0", "--headless", "--dump", dump)
        listed = wall.call("list")["visualizations"][0]
        self.assertEqual(listed["sound"], 1)
        time.sleep(seconds)
        self.assertEqual((stop(client), stop(server)), (0, 0))
        return dump

    def check_together(self, dump):
        """Clicks are with their flashes, by plan and by the clock."""
        samples = np.load(dump / "sound.npy", mmap_mode="r")[:, 0]
        marks = [json.loads(line) for line in (dump / "sound.ndjson").read_text().splitlines()]
        rows = np.array([mark["row"] for mark in marks])

        def times(row):
            mark = marks[np.searchsorted(rows, row, "right") - 1]
            after = (row - mark["row"]) / RATE
            return mark["pts_ns"] / 1e9 + after, mark["played_ns"] / 1e9 + after

        clicks = [times(row) for row in clicks_in(samples)]
        shown = [json.loads(line) for line in (dump / "shown.ndjson").read_text().splitlines()]
        self.assertGreater(np.asarray(Image.open(dump / f"tile-0-0/{FLASH:08}.png").convert("L")).mean(), 128, "the flash is where it is meant to be")
        flashes = [(line["pts_ns"] / 1e9, line["swap_ns"] / 1e9) for line in shown if line["frame"] % 30 == FLASH]
        first, last = clicks[0][0], clicks[-1][0]
        flashes = [flash for flash in flashes if first - 0.5 < flash[0] < last + 0.5]
        self.assertGreaterEqual(len(flashes), 4)
        planned = [min(abs(click[0] - flash[0]) for click in clicks) for flash in flashes]
        actual = [min(abs(click[1] - flash[1]) for click in clicks) for flash in flashes]
        print(f"flash against click, of {len(flashes)}: planned at most {1e3 * max(planned):.3f} ms, by the clock at most {1e3 * max(actual):.3f} ms", file=sys.stderr)
        self.assertLess(max(planned), 0.001)
        real_time.assert_on_time(self, np.percentile(actual, 99), 0.005)
        return samples

    def check_film(self, dump, samples):
        """From a click on, each sample is the film's at its place in time; the film repeats without a gap."""
        marks = [json.loads(line) for line in (dump / "sound.ndjson").read_text().splitlines()]
        rows, numbers = (np.array([mark[key] for mark in marks]) for key in ("row", "sample"))
        row = np.arange(len(samples))
        mark = np.searchsorted(rows, row, "right") - 1
        number = numbers[mark] + row - rows[mark]  # of the wall's time
        found = [(click, of_film) for click in clicks_in(samples) for of_film in clicks_in(self.sound)
                 if np.array_equal(self.sound[of_film:of_film + RATE // 4], samples[click:click + RATE // 4])]
        self.assertGreaterEqual(len(found), 3, "clicks with the sound that follows them in the film")
        click, of_film = found[0]
        self.assertGreater(len(samples) - click, SECONDS * RATE, "it has repeated")
        expected = self.sound[(of_film + number - number[click]) % len(self.sound)]
        wrong = np.count_nonzero((samples != expected)[click:])
        missing = number[-1] - number[0] + 1 - len(number)  # the node did not run
        self.assertLess(wrong + missing, RATE // 10, f"{wrong} of {len(samples)} samples are others, {missing} are missing")

    def test_flash_and_click_come_together(self):
        wall = self.wall()
        dump = self.play(wall, 7)
        self.check_film(dump, self.check_together(dump))

    def test_a_standby_sends_the_same_sound(self):
        wall = self.wall(TwoServers)
        dump = wall.folder / "dump"
        client = wall.client("node-0-0", "--headless", "--dump", dump)
        second, first = wall.serve("b"), wall.serve("a")
        time.sleep(2)
        wall.call("load", name="film")
        time.sleep(4)
        first.kill()
        time.sleep(3)
        self.assertEqual((stop(client), stop(second)), (0, 0))
        self.check_film(dump, self.check_together(dump))

    def test_sound_follows_the_operator(self):
        """Silent while paused and at another rate; after a seek, the sound is that of the frame."""
        wall = self.wall()
        dump = wall.folder / "dump"
        server = wall.server("--play", "film")
        client = wall.client("node-0-0", "--headless", "--dump", dump)
        spans = []
        for method, params in (("pause", {}), ("play", {}), ("rate", {"rate": 2.0}), ("rate", {"rate": 1.0}), ("pause", {}), ("seek", {"frame": 60}), ("play", {})):
            time.sleep(1.2)
            spans.append((method, params, time.time()))
            wall.call(method, **params)
        time.sleep(1.5)
        self.assertEqual((stop(client), stop(server)), (0, 0))
        samples = np.load(dump / "sound.npy", mmap_mode="r")[:, 0]
        marks = [json.loads(line) for line in (dump / "sound.ndjson").read_text().splitlines()]
        rows, times = [mark["row"] for mark in marks], [mark["pts_ns"] / 1e9 for mark in marks]

        def between(begin, end):
            """The samples of a span of the wall's time."""
            first, last = np.interp([begin, end], times, rows).astype(int)
            self.assertGreater(last - first, RATE // 4)
            return samples[first:last]

        # A change takes effect within half a second of the call, and sound comes a playout delay later.
        for (method, params, at), (*_, until) in zip(spans, spans[1:]):
            silent = method == "pause" or params.get("rate") == 2.0 or method == "seek"
            share = np.count_nonzero(between(at + 0.6, until)) / len(between(at + 0.6, until))
            self.assertTrue(share == 0 if silent else share > 0.95, f"after {method} {params}: {share:.3f} of the samples are not 0")
        # It begins again with frame 60, the third second.
        heard = between(spans[-1][2], spans[-1][2] + 1.4)
        begun = np.flatnonzero(heard)[0]
        found = [start for start in range(2 * RATE, 2 * RATE + 4) if (self.sound[start:start + RATE // 10] == heard[begun:begun + RATE // 10]).all()]
        self.assertEqual(len(found), 1, "the sound of the frame to which it was set")

    def test_encrypted_sound_is_played(self):
        wall = self.wall()
        (wall.folder / "media.key").write_text("ab" * 32 + "\n")
        (wall.folder / "media.key").chmod(0o600)
        wall.streaming["srtp_key_file"] = "media.key"
        wall.write()
        self.check_together(self.play(wall, 6))

    def test_gstreamer_receives_it(self):
        wall = self.wall()
        described = wall.folder / "sdp"
        self.assertEqual(run(program("wall-server"), "--wall", wall.file, "--content", wall.content, "--play", "film", "--sdp", described).returncode, 0)
        text = (described / "sound-0.sdp").read_text()
        port = wall.streaming["base_port"] + 2
        self.assertIn(f"m=audio {port} RTP/AVP 111\n", text)
        self.assertIn("a=rtpmap:111 L24/48000/1\n", text)
        raw = wall.folder / "gst.raw"
        receiver = start("gst-launch-1.0", "-q", "-e", "udpsrc", f"port={port}",
                         "caps=application/x-rtp,media=audio,clock-rate=48000,encoding-name=L24,channels=1,payload=111",
                         "!", "rtpL24depay", "!", "filesink", f"location={raw}")
        time.sleep(1)
        server = wall.server("--play", "film")
        wait_until(lambda: raw.exists() and raw.stat().st_size > 3 * RATE * 3, 20, "three seconds of sound")
        stop(receiver, sig=2)
        self.assertEqual(stop(server), 0)
        taken = np.frombuffer(raw.read_bytes()[:9 * RATE], np.uint8).reshape(-1, 3).astype(np.int64)
        values = (taken[:, 0] << 24 | taken[:, 1] << 16 | taken[:, 2] << 8).astype(np.uint32).view(np.int32)
        click, of_film = clicks_in(values)[0], clicks_in(self.sound)
        self.assertTrue(any((self.sound[row:row + RATE] == values[click:click + RATE]).all() for row in of_film[:3]), "sample by sample")


if __name__ == "__main__":
    real_time.main(verbosity=2)
