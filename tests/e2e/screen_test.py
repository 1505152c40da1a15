"""When frames reach the screen, as the window system reports it: by `fake_glx.c`, which makes a driver that does of one that does
not. The figures of the node's report are compared with these reports and with the dump's presentation times."""
import math
import os
import pathlib
import shutil
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from pictures import make_source, shown_lines  # noqa: E402
from wall import Wall, in_windows, program, start, stop, stop_in_windows, wait_until  # noqa: E402

SHIM = os.environ["LW_FAKE_GLX"]
RATE = 15


def quantile(values, share):
    """Nearest rank, and the ranks two off: a few values may be missing where a busy machine interrupted the clock's reading."""
    values = sorted(values)
    rank = math.ceil(share * len(values)) - 1
    return values[max(0, rank - 2)], values[min(len(values) - 1, rank + 2)]


@unittest.skipUnless(shutil.which("xvfb-run"), "no virtual display")
class Screen(unittest.TestCase):
    def play(self, extensions, sections=""):
        """A node with two windows; its driver has these extensions (none: the real one's)."""
        self.wall = wall = Wall(2, 1, tile=(160, 100), rate=str(RATE), nodes={"both": [(0, 0), (1, 0)]}, sections=sections)
        make_source(wall.folder / "source", wall.picture, RATE)
        wall.ingest(wall.folder / "source", "noise", "--rate", str(RATE))
        self.log, self.dump, self.said = wall.folder / "glx.log", wall.folder / "dump", wall.folder / "said"
        shim = ["env", f"LD_PRELOAD={SHIM}", f"FAKE_GLX={extensions}", f"FAKE_GLX_LOG={self.log}"] if extensions else []
        self.server = wall.server("--play", "noise")
        with open(self.said, "w") as said:
            self.client = start(*in_windows([*shim, program("wall-client"), "--wall", str(wall.file), "--node", "both", "--dump", str(self.dump)]),
                                stderr=said)
        self.addCleanup(stop, self.server)
        wait_until(lambda: all(tile["shown_whole"] > 4 for tile in self.tiles()), 20, "frames to be shown")

    def tiles(self):
        return self.report().get("tiles", [{"shown_whole": 0}])

    def report(self):
        return self.wall.call("stats")["nodes"][0].get("report", {})

    def logged(self, what):
        return [tuple(map(int, line.split()[1:])) for line in self.log.read_text().splitlines() if line.startswith(what + " ")]

    def test_the_time_on_the_screen_is_what_the_driver_said(self):
        self.play("oml")
        time.sleep(4)
        self.wall.call("stop")
        time.sleep(1)  # all that was shown is reported
        tiles = self.tiles()
        stop_in_windows(self.client)
        swaps = self.logged("swap")
        told = {(drawable, count): ust for drawable, count, ust in self.logged("told")}
        by_tile = {(0, 0): [], (1, 0): []}
        lines = shown_lines(self.dump)
        after = 0  # of the swaps, those before the line's
        for line in lines:
            while after < len(swaps) and swaps[after][3] <= line["system_ns"]:
                after += 1
            drawable, count, monotonic_us, real_ns = swaps[after - 1]
            if (drawable, count) in told:
                on_screen_ns = real_ns + (told[drawable, count] - monotonic_us) * 1000
                by_tile[tuple(line["tile"])].append((on_screen_ns - line["pts_ns"]) / 1000)
        for tile in tiles:
            measured = by_tile[tuple(tile["tile"])]
            self.assertGreater(len(measured), tile["swaps"] / 2)
            for key, share in (("scanout_us_p50", 0.5), ("scanout_us_p99", 0.99)):
                low, high = quantile(measured[-256:], share)
                self.assertGreater(tile[key], low - 100)
                self.assertLess(tile[key], high + 100)
            print(f"tile {tile['tile']}: on the screen {tile['scanout_us_p50']:.0f} us after the PTS (p50), {tile['scanout_us_p99']:.0f} us (p99); "
                  f"{len(measured)} of {tile['swaps']} swaps told")
        self.assertEqual(self.logged("waits"), [], "the presenter waited for a swap")
        self.assertNotIn("is not measured", self.said.read_text())
        # A frame is swapped once; and twice a second without one.
        idle = 2 * len(tiles) * (2 + (swaps[-1][2] - swaps[0][2]) / 1e6)
        self.assertLess(len(swaps), len(lines) + idle)

    def test_without_a_word_of_the_driver_nothing_is_reported(self):
        for extensions, why in (("", "no GLX_OML_sync_control"), ("oml-other-clock", "not of the system's monotonic clock")):
            with self.subTest(why):
                self.play(extensions)
                time.sleep(0.5)
                for tile in self.tiles():
                    self.assertIn("lateness_us_p50", tile)
                    self.assertNotIn("scanout_us_p50", tile)
                    self.assertNotIn("scanout_us_p99", tile)
                stop_in_windows(self.client)
                said = [line for line in self.said.read_text().splitlines() if "the times at which frames appear on the screen are not measured" in line]
                self.assertEqual(len(said), 1)
                self.assertIn(why, said[0])

    def test_windows_join_a_swap_group_and_swap_as_often(self):
        self.play("nv", '[sync]\nswap_group = 1\nswap_barrier = 1\n')
        # Only one of them is redrawn by itself: a moving pattern, without a stream.
        self.wall.call("stop")
        self.wall.call("pattern", pattern="bar", tile=[0, 0])
        before = len(self.logged("swap"))
        wait_until(lambda: len(self.logged("swap")) > before + 40, 20, "the pattern")
        self.assertEqual(self.report()["swap_group"], "joined group 1, barrier 1")
        stop_in_windows(self.client)
        windows = {drawable for drawable, *_ in self.logged("swap")}
        self.assertEqual(len(windows), 2)
        self.assertEqual(sorted(self.logged("joins")), sorted((window, 1) for window in windows))
        self.assertEqual(set(self.logged("binds")), {(1, 1)})
        self.assertEqual(self.logged("waits"), [], "a window of the group would have waited for the other")
        self.assertIn("[sync] swap_group: joined group 1, barrier 1", self.said.read_text())

    def test_a_swap_group_that_cannot_be_joined_is_said_and_playing_goes_on(self):
        for extensions, group, why in (("", 1, "no GLX_NV_swap_group"), ("nv", 2, "1 groups and 1 barriers"), ("nv-refuses", 1, "refuses group 1")):
            with self.subTest(why):
                self.play(extensions, f"[sync]\nswap_group = {group}\n")
                report = self.report()
                self.assertTrue(report["swap_group"].startswith("not joined: "), report["swap_group"])
                self.assertIn(why, report["swap_group"])
                stop_in_windows(self.client)
                self.assertEqual(self.said.read_text().count(report["swap_group"]), 1)
        client = self.wall.client("both", "--headless")
        self.addCleanup(stop, client)
        wait_until(lambda: self.report().get("swap_group") == "not joined: there are no windows", 10, "the headless node's report")

    def test_a_window_leaves_the_group_that_another_cannot_join(self):
        self.play("nv-one", "[sync]\nswap_group = 1\n")
        stop_in_windows(self.client)
        (first, group), (second, also), (left, none) = self.logged("joins")
        self.assertEqual((group, also, none), (1, 1, 0))
        self.assertEqual(left, first)
        self.assertNotEqual(first, second)


if __name__ == "__main__":
    real_time.main(verbosity=2)
