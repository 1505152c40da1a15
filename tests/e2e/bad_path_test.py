"""The wall over bad paths: the real programs with `wall-probe impair` in the way of every flow. Frames shown must still be
the source, pixel for pixel; what the path did must be in the figures. The shares of frames that are asked for leave room for
a machine that stalls; docs/performance.md has what an idle one reaches."""
import pathlib
import sys
import time
import unittest

import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from pictures import BLOCK_TOLERANCES, decoded_blocks, shown_lines  # noqa: E402
from relayed import Relayed, RelayedChecks  # noqa: E402
from wall import free_tcp_port, port_open, program, start, stop, wait_until  # noqa: E402


class BadPath(RelayedChecks, unittest.TestCase):
    def test_lost_packets_are_sent_again_in_time(self):
        """1 % random loss, 20 ms there and back, 100 ms playout delay: every frame whole, for at most 2 % more bandwidth."""
        relayed = Relayed((320, 200), 30, mtu=1500, playout_delay_ms=100, fec="none")
        dump, stats, counts = relayed.play(10, "--loss-percent", "1", "--delay-ms", "10", "--both")
        flow, tile = self.figures(stats)
        self.assertGreater(counts["forward"]["lost"], 200)
        # All but one or two of 390 on a quiet machine. A machine that stalls for 50 ms is too late for everything missing then.
        self.assertGreater(flow["repaired"], 0.8 * flow["lost"])
        self.assertGreater(tile["shown_repaired"], 100)
        self.mostly_whole(tile)
        sender = stats["sender"][0]
        self.assertLess(sender["resent_bytes"], 0.02 * sender["bytes"])
        self.same_pictures(relayed, dump, 30)

    def test_parity_makes_good_what_resends_cannot(self):
        """1 % loss in bursts of 8, 150 ms there and back, 180 ms playout delay: 99.9 % of the frames whole, for at most 25 % more bandwidth."""
        # A resend would come after 225 ms. The first packet comes after 75, the frame's parity within the next 8, and the rest is for the machine's stalls.
        relayed = Relayed((640, 400), 30, rate="60", mtu=1500, playout_delay_ms=180, pace_fraction=0.4, fec="20+4")
        path = ("--loss-percent", "1", "--loss-burst", "8", "--delay-ms", "75", "--both")
        _, stats, counts = relayed.play(12, *path, with_dump=False)
        flow, tile = self.figures(stats)
        self.assertGreater(counts["forward"]["lost"], 2000)
        self.assertGreater(flow["rebuilt"], 0.9 * flow["lost"])
        self.assertGreater(tile["shown_repaired"], 200)
        self.mostly_whole(tile)
        sender = stats["sender"][0]
        self.assertLess(sender["parity_bytes"] + sender["resent_bytes"], 0.25 * sender["bytes"])

    def test_either_of_two_paths_may_be_cut(self):
        """Every packet goes by two relays. One is cut in the middle, and comes back: not a packet is missing, and the events say so."""
        self.cut_one_of_two_paths(Relayed((160, 100), 30, mtu=1500, playout_delay_ms=150))

    def test_what_is_rebuilt_is_what_was_sent(self):
        relayed = Relayed((160, 100), 30, mtu=1500, playout_delay_ms=150, fec="10+4", resend=False)
        dump, stats, _ = relayed.play(6, "--loss-percent", "3", "--loss-burst", "3")
        flow, tile = self.figures(stats)
        self.assertGreater(flow["rebuilt"], 50)
        self.assertGreater(tile["shown_repaired"], 20)
        self.same_pictures(relayed, dump, 25)

    def test_parity_is_sent_only_while_it_is_needed(self):
        """The same path with fec = "auto": parity begins with the loss. A path that is near does with resends alone."""
        relayed = Relayed((320, 200), 30, mtu=1500, playout_delay_ms=150)
        _, stats, _ = relayed.play(6, "--loss-percent", "1", "--delay-ms", "60", "--both")
        self.assertGreater(stats["sender"][0]["parity"], 100)
        self.assertGreater(stats["nodes"][0]["report"]["flows"][0]["rebuilt"], 20)
        _, stats, _ = relayed.play(4, "--loss-percent", "1", "--delay-ms", "2", "--both")
        # Until the round trip is known, which takes a second, parity goes along.
        self.assertLess(stats["sender"][0]["parity"], 0.1 * stats["sender"][0]["packets"])

    def test_a_server_and_its_hot_standby_send_the_same_parity(self):
        """Both of their paths lose packets, and few of them the same. Then only that of the standby is left."""
        relayed = Relayed((320, 200), 30, mtu=1500, playout_delay_ms=150, resend=False)
        wall = relayed.wall
        controls = {"a": wall.control, "b": f"127.0.0.1:{free_tcp_port()}"}

        def with_standby(text):
            begin, end = text.index("[[server]]"), text.index("[streaming]")
            server = lambda name, interface: f'[[server]]\nname = "{name}"\ncontrol = "{controls[name]}"\ninterfaces = ["{interface}"]\n'
            return text[:begin] + server("a", "127.0.0.1") + server("b", "127.0.0.2") + 'standby_for = "a"\nstandby = "hot"\n' + text[end:]

        relay = relayed.two_paths(with_standby)
        serve = lambda name, *play: start(program("wall-server"), "--wall", relayed.server_file, "--server", name, "--content", wall.content, *play)
        paths = [relay(path, "--loss-percent", "8", "--seed", str(path)) for path in (0, 1)]
        client = wall.client("node-0-0", "--headless")
        servers = [serve("b"), serve("a", "--play", "noise")]
        flow = lambda: self.figures(wall.call("stats"))[0]
        wait_until(lambda: port_open(wall.control), 10, "the server's control port")
        wait_until(lambda: wall.call("stats")["nodes"][0].get("report", {}).get("flows"), 10, "the node's report")
        wait_until(lambda: flow()["rebuilt"] > 30, 20, "parity to recover packets")
        both = flow()
        # A parity packet of one of them is a repeated one of the other's, though each has its own path.
        self.assertGreater(both["duplicates"], 0.7 * both["packets"] / 2)
        self.assertLess(both["parity_lost"], 0.05 * both["parity"])
        self.assertEqual(stop(paths[0]), 0)
        time.sleep(1)
        before = flow()["rebuilt"]
        wait_until(lambda: flow()["rebuilt"] > before + 300, 20, "the standby's parity to recover packets")
        for process in (client, *servers, paths[1]):
            self.assertEqual(stop(process), 0)

    def test_a_lost_packet_spoils_only_its_rows_of_blocks(self):
        """2 % random loss without resends or parity: each row of blocks that was shown is the frame's, or the same row of an earlier frame."""
        for pixel_format, tolerance in BLOCK_TOLERANCES.items():
            with self.subTest(pixel_format):
                relayed = Relayed((322, 202), 30, mtu=1500, playout_delay_ms=100, fec="none", resend=False, flows_per_tile=2, pixel_format=pixel_format)
                dump, stats, _ = relayed.play(5, "--loss-percent", "2")
                tile = stats["nodes"][0]["report"]["tiles"][0]
                self.assertGreater(tile["shown_concealed"], 20)
                pictures = np.asarray(decoded_blocks(relayed.wall, relayed.wall.content / "noise", pixel_format)).astype(int)
                spoilt, of_frames, rows_shown = 0, 0, 0
                for file in sorted((dump / "tile-0-0").glob("*.png")):
                    shown = np.asarray(Image.open(file).convert("RGB")).astype(int)
                    of_frame = 0
                    for first in range(0, shown.shape[0], 4):
                        block = slice(first, first + 4)
                        frames = np.flatnonzero(np.abs(pictures[:, block] - shown[block]).max(axis=(1, 2, 3)) <= tolerance)
                        self.assertGreater(len(frames), 0, f"{file.name}, rows from {first}: of no frame")
                        of_frame += int(file.stem) in frames
                    rows = -(-shown.shape[0] // 4)
                    spoilt += of_frame < rows
                    of_frames, rows_shown = of_frames + of_frame, rows_shown + rows
                self.assertGreater(spoilt, 0)
                self.assertGreater(of_frames, 0.7 * rows_shown)

    def test_a_lost_packet_spoils_only_its_chunks(self):
        """2 % random loss without resends or parity: each chunk of rows that was shown is the frame's, or that of an earlier frame."""
        relayed = Relayed((322, 202), 30, mtu=1500, playout_delay_ms=100, fec="none", resend=False, flows_per_tile=2, pixel_format="lossless")
        dump, stats, _ = relayed.play(5, "--loss-percent", "2")
        tile = stats["nodes"][0]["report"]["tiles"][0]
        self.assertGreater(tile["shown_concealed"], 20)
        pictures = np.asarray(relayed.pictures)
        spoilt, of_frames, chunks_shown = 0, 0, 0
        for file in sorted((dump / "tile-0-0").glob("*.png")):
            shown, of_frame, chunks = np.asarray(Image.open(file).convert("RGB")), 0, 0
            for band in range(2):
                for first in range(band * 101, (band + 1) * 101, 8):
                    rows = slice(first, min(first + 8, (band + 1) * 101))
                    frames = np.flatnonzero((pictures[:, rows] == shown[rows]).all(axis=(1, 2, 3)))
                    black = not shown[rows].any()  # before the first frame of the format
                    self.assertTrue(len(frames) > 0 or black, f"{file.name}, rows from {first}: of no frame")
                    of_frame += int(file.stem) in frames
                    chunks += 1
            spoilt += of_frame < chunks
            of_frames, chunks_shown = of_frames + of_frame, chunks_shown + chunks
        self.assertGreater(spoilt, 0)
        self.assertGreater(of_frames, 0.5 * chunks_shown)
        # Of frames that lost packets at their end, too, all packets are accounted for.
        flows = stats["nodes"][0]["report"]["flows"]
        for flow in flows:
            self.assertAlmostEqual(flow["lost"], 0.02 * (flow["lost"] + flow["arrived"]), delta=0.02 * (flow["lost"] + flow["arrived"]))

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
        self.mostly_whole(tile)
        self.same_pictures(relayed, dump, 30)
        for line in shown_lines(dump):
            self.assertLess(line["frame"], 30)


if __name__ == "__main__":
    real_time.main(verbosity=2)
