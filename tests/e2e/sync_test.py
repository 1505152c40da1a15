"""[sync] mode = "wall": a frame is shown by all tiles or by none. Proved from the dumps of real programs: which tile showed which
frame when, with a path that loses frames, and with a node that is frozen and thawed."""
import contextlib
import json
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from pictures import make_source, shown_lines  # noqa: E402
from wall import Control, Wall, program, start, stop  # noqa: E402

PLAYOUT_S = 0.15


class Sync(unittest.TestCase):
    def setUp(self):
        self.processes = []

    def tearDown(self):
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                stop(process)

    def start(self, *command, **kwargs):
        self.processes.append(start(*command, **kwargs))
        return self.processes[-1]

    def play(self, lost_node="continue", mode="wall", **streaming):
        self.wall = Wall(3, 1, tile=(64, 40), playout_delay_ms=round(PLAYOUT_S * 1000),
                         sections=f'[sync]\nmode = "{mode}"\nlost_node = "{lost_node}"\n', **streaming)
        make_source(self.wall.folder / "source", self.wall.picture, 30)
        self.wall.ingest(self.wall.folder / "source", "noise", "--rate", "30")
        self.clients = [self.client(column) for column in range(3)]
        time.sleep(0.5)

    def client(self, column):
        process = self.wall.client(f"node-{column}-0", "--headless", "--dump", self.wall.folder / f"dump-{column}")
        self.processes.append(process)
        return process

    def serve(self, file=None):
        return self.start(program("wall-server"), "--wall", file or self.wall.file, "--content", self.wall.content, "--play", "noise")

    def shown(self):
        """Of each tile the presentation times, in seconds, of the frames it showed; none twice, none out of order."""
        tiles = []
        self.stalls = []
        for column in range(3):
            lines = shown_lines(self.wall.folder / f"dump-{column}")
            self.stalls += [line["pts_ns"] / 1e9 for line in lines if line["swap_ns"] - line["pts_ns"] > 30e6]
            times = [line["pts_ns"] / 1e9 for line in lines]
            self.assertEqual(times, sorted(set(times)))
            tiles.append(times)
        return tiles

    def calm(self, t):
        return not any(abs(t - stall) < 0.15 for stall in self.stalls)

    def same_frames(self, tiles, begin, end):
        """All of these tiles showed the same frames from `begin` to `end`; how many. Not looked at: where a busy machine held a
        program up for longer than a frame is shown late."""
        parts = [{t for t in times if begin <= t <= end and self.calm(t)} for times in tiles]
        odd = sorted(set.union(*parts) - set.intersection(*parts))
        self.assertEqual([(t - begin, [i for i, part in enumerate(parts) if t in part]) for t in odd], [], f"of {len(parts[0])} frames in {end - begin:.1f} s")
        return len(parts[0])

    def stop_all(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                self.assertEqual(stop(process), 0)

    def test_a_frame_that_one_tile_misses_is_shown_by_none(self):
        """One of three paths loses every twentieth frame: all three tiles show the same frames."""
        self.play(resend=False, fec="none")
        file, relay = self.wall.behind_relay("node-1-0", 1)
        self.start(*relay, "--loss-percent", "5", "--seed", "3", stdout=subprocess.DEVNULL)
        time.sleep(0.3)
        self.serve(file)
        time.sleep(8)
        stats = self.wall.call("stats")
        self.stop_all()
        tiles = self.shown()
        first, last = max(t[0] for t in tiles) + 0.5, min(t[-1] for t in tiles)
        shown = self.same_frames(tiles, first, last)
        self.assertGreater(shown, 60)
        self.assertLess(shown, 0.99 * (last - first) * 30)
        counts = [entry["report"]["tiles"][0] for entry in stats["nodes"]]
        for count in counts:
            self.assertEqual(count["shown_concealed"], 0)
            self.assertEqual(count["frames_due"], count["shown_whole"] + count["not_shown"])
        self.assertGreater(counts[0]["not_committed"], 3)
        self.assertGreater(counts[2]["not_committed"], 3)

    def freeze(self, lost_node):
        """The dumps around three seconds in which the third node does nothing: (tiles, from, to), and the events."""
        self.play(lost_node)
        self.serve()
        time.sleep(3.5)
        frozen = time.time()
        self.clients[2].send_signal(signal.SIGSTOP)
        time.sleep(3)
        self.clients[2].send_signal(signal.SIGCONT)
        thawed = time.time()
        time.sleep(3.5)
        with contextlib.closing(Control(self.wall.control)) as control:
            events = [event["code"] for event in control.call("subscribe", stats=False, events=True)["events"]]
        self.stop_all()
        self.assertLess(events.index("node-out-of-step"), events.index("node-in-step"))
        tiles = self.shown()
        self.same_frames(tiles[:2], tiles[0][0] + 0.5, thawed + 3)
        # What the third shows the others show, too, and it shows nothing old when it thaws.
        self.assertLessEqual(set(t for t in tiles[2] if t < thawed + 3 and self.calm(t)), set(tiles[0]))
        swaps = [line for line in shown_lines(self.wall.folder / "dump-2") if line["swap_ns"] / 1e9 > thawed]
        self.assertLess(max(line["swap_ns"] - line["pts_ns"] for line in swaps), 1e9)
        alone = sorted(t for t in set(tiles[0]) - set(tiles[2]) if tiles[0][0] + 0.5 < t < thawed + 3 and self.calm(t))
        within = lambda times, begin, end: [t for t in times if begin < t < end]
        # Synchronized before and, within two seconds, after.
        self.assertEqual(within(alone, 0, frozen - 0.005), [])
        self.assertEqual(within(alone, thawed + 2, thawed + 3), [])
        self.assertGreater(len(within(tiles[2], thawed + 2, thawed + 3)), 10)
        return tiles, alone, frozen, thawed

    def test_the_others_play_on_without_a_frozen_node(self):
        tiles, alone, frozen, thawed = self.freeze("continue")
        during = [t for t in tiles[0] if frozen + 1 < t < thawed]
        self.assertGreater(len(during), 0.5 * 30 * (thawed - frozen - 1))

    def test_or_wait_for_it(self):
        tiles, alone, frozen, thawed = self.freeze("hold")
        self.assertEqual([t for t in tiles[0] if frozen + PLAYOUT_S + 0.1 < t < thawed], [])
        # It missed only frames that were committed before it froze.
        self.assertLessEqual(len(alone), (PLAYOUT_S + 0.1) * 30 + 1)

    def test_transport_takes_effect_on_all_tiles_at_the_same_frame(self):
        """Seek, rate and pause while the wall plays: at each presentation time all tiles show one and the same frame."""
        self.play(mode="tile")
        self.serve()
        time.sleep(1.5)
        for method, params in (("seek", {"frame": 20}), ("rate", {"rate": -2}), ("pause", {}), ("seek", {"frame": 3}), ("play", {}), ("rate", {"rate": 1})):
            self.wall.call(method, **params)
            time.sleep(0.37)
        self.stop_all()
        tiles = [{line["pts_ns"]: line["frame"] for line in shown_lines(self.wall.folder / f"dump-{column}")} for column in range(3)]
        common = sorted(set(tiles[0]) & set(tiles[1]) & set(tiles[2]))
        self.assertGreater(len(common), 70)
        for pts in common:
            self.assertEqual(tiles[0][pts], tiles[1][pts])
            self.assertEqual(tiles[0][pts], tiles[2][pts])
        steps = [tiles[0][b] - tiles[0][a] for a, b in zip(common, common[1:])]
        self.assertTrue({-2, 0, 1} <= set(steps), set(steps))  # backwards, paused and forwards were all seen

    def test_a_node_that_comes_late_joins_in(self):
        """Nobody waits for a node that never connected; once it connects, it is synchronized."""
        self.play("hold")
        stop(self.clients[2])
        self.serve()
        time.sleep(2)
        came = time.time()
        self.client(2)
        time.sleep(6)
        self.stop_all()
        tiles = self.shown()
        self.assertGreater(len([t for t in tiles[0] if t < came]), 30)
        self.assertGreater(self.same_frames(tiles, came + 2, came + 5.5), 30)


if __name__ == "__main__":
    real_time.main()
