"""The wall over bad paths: the real programs with `wall-probe impair` in the way of every flow. What is shown must still be
the source, pixel for pixel; what the path did must be in the figures."""
import json
import subprocess
import time
import unittest

import numpy as np
from PIL import Image

from wall import Wall, program, start, stop
from pixels_test import make_source, shown_lines


class Relayed:
    """A wall of one tile whose server sends to a relay, which sends on to the node."""

    def __init__(self, tile, frames, *, rate="30", **streaming):
        self.wall = Wall(1, 1, tile=tile, rate=rate, **streaming)
        self.pictures = make_source(self.wall.folder / "source", self.wall.picture, frames)
        self.wall.ingest(self.wall.folder / "source", "noise", "--rate", rate)
        self.server_file = self.wall.folder / "server.toml"
        self.server_file.write_text(self.wall.file.read_text().replace('address = "127.0.0.1"', 'address = "127.0.0.3"'))

    def relay(self, *impair):
        base = self.wall.streaming["base_port"]
        last = base + 2 * self.wall.flows - 1
        process = start(program("wall-probe"), "impair", "--listen", f"127.0.0.3:{base}-{last}", "--to", f"127.0.0.1:{base}",
                        "--from", f"127.0.0.1:{self.wall.streaming['source_port'] - 10000}", "--json", "--seed", "5", *impair,
                        stdout=subprocess.PIPE, text=True)
        time.sleep(0.3)
        return process

    def play(self, seconds, *impair):
        """What was shown, the figures at the end, and what the relay counted."""
        relay = self.relay(*impair)
        dump = self.wall.folder / "dump"
        client = self.wall.client("node-0-0", "--headless", "--dump", dump)
        time.sleep(0.3)
        server = start(program("wall-server"), "--wall", self.server_file, "--content", self.wall.content, "--play", "noise")
        time.sleep(seconds)
        stats = self.wall.call("stats")
        for process in (client, server, relay):
            assert stop(process) == 0
        counts = [json.loads(line) for line in relay.stdout.read().splitlines()][-1]
        return dump, stats, counts


class BadPath(unittest.TestCase):
    def same_pictures(self, relayed, dump, least):
        files = sorted((dump / "tile-0-0").glob("*.png"))
        self.assertGreaterEqual(len(files), least)
        whole = {line["frame"] for line in shown_lines(dump) if line["whole"]}
        for file in files:
            if int(file.stem) in whole:
                np.testing.assert_array_equal(np.asarray(Image.open(file).convert("RGB")), relayed.pictures[int(file.stem)], str(file))

    def figures(self, stats):
        report = stats["nodes"][0]["report"]
        flow, tile = report["flows"][0], report["tiles"][0]
        self.assertEqual(flow["packets"], flow["used"] + flow["duplicates"] + flow["late"] + flow["invalid"])
        self.assertEqual(tile["frames_due"], tile["shown_whole"] + tile["shown_concealed"] + tile["not_shown"])
        return flow, tile

    def test_lost_packets_are_sent_again_in_time(self):
        """1 % random loss, 20 ms there and back, 100 ms playout delay: every frame whole, for at most 2 % more bandwidth."""
        relayed = Relayed((320, 200), 30, mtu=1500, playout_delay_ms=100)
        dump, stats, counts = relayed.play(10, "--loss-percent", "1", "--delay-ms", "10", "--both")
        flow, tile = self.figures(stats)
        self.assertGreater(counts["forward"]["lost"], 200)
        self.assertGreater(flow["repaired"], 200)
        self.assertGreater(tile["shown_repaired"], 100)
        self.assertEqual(tile["shown_concealed"], 0)
        self.assertGreater(tile["shown_whole"], 250)
        sender = stats["sender"][0]
        self.assertLess(sender["resent_bytes"], 0.02 * sender["bytes"])
        self.same_pictures(relayed, dump, 30)

    def test_duplicates_reordering_and_changed_headers(self):
        relayed = Relayed((320, 200), 30, mtu=1500, playout_delay_ms=150)
        dump, stats, counts = relayed.play(8, "--duplicate-percent", "5", "--reorder-percent", "2", "--reorder-by", "64",
                                           "--corrupt-percent", "1", "--corrupt-bytes", "38")
        flow, tile = self.figures(stats)
        self.assertGreater(counts["forward"]["corrupted"], 200)
        self.assertGreater(flow["duplicates"], 1000)
        self.assertGreater(flow["reordered"], 300)
        # Each changed packet is counted; what it said is shown nowhere, and the packet itself is sent again.
        self.assertGreater(flow["invalid"], 100)
        self.assertEqual(tile["shown_concealed"], 0)
        self.assertGreater(tile["shown_whole"], 200)
        self.same_pictures(relayed, dump, 30)
        for line in shown_lines(dump):
            self.assertLess(line["frame"], 30)


if __name__ == "__main__":
    unittest.main(verbosity=2)
