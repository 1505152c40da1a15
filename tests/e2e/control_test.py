"""The control plane against the real server: every operator action takes effect on the wall, also through `wall-control --call`."""
import contextlib
import json
import pathlib
import shutil
import sys
import time
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from pictures import make_source  # noqa: E402
from wall import Control, Wall, program, run, stop, wait_until  # noqa: E402


class ControlPlane(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.wall = Wall(2, 1, tile=(64, 40))
        make_source(cls.wall.folder / "source", cls.wall.picture, 40)
        cls.wall.ingest(cls.wall.folder / "source", "first", "--rate", "30", "--title", "The first")
        cls.wall.ingest(cls.wall.folder / "source", "second", "--rate", "25", "--frames", "20")
        cls.server = cls.wall.server()
        cls.clients = [cls.wall.client(node, "--headless") for node in cls.wall.nodes]

    @classmethod
    def tearDownClass(cls):
        for process in [*cls.clients, cls.server]:
            assert stop(process) == 0

    def frame_shown(self):
        frames = {tuple(t["tile"]): t.get("frame") for n in self.wall.call("stats")["nodes"] if n.get("report") for t in n["report"]["tiles"]}
        return set(frames.values()) if len(frames) == 2 else set()

    def test_list_names_what_there_is(self):
        entries = {v["name"]: v for v in self.wall.call("list")["visualizations"]}
        self.assertEqual(sorted(entries), ["first", "second"])
        self.assertEqual(entries["first"]["title"], "The first")
        self.assertEqual(entries["second"]["frames"], 20)
        self.assertTrue(entries["first"]["fits"])
        picture = self.wall.call("image", name="first", kind="poster")
        self.assertEqual(picture["mime"], "image/jpeg")

    def test_load_seek_pause_reach_every_tile(self):
        self.wall.call("load", name="first", paused=True, frame=7)
        wait_until(lambda: self.frame_shown() == {7}, 5, "frame 7 on all tiles")
        self.wall.call("seek", frame=31)
        wait_until(lambda: self.frame_shown() == {31}, 5, "frame 31 on all tiles")
        self.assertEqual(self.wall.call("stats")["wall"]["frame"], 31)
        state = self.wall.call("play")
        self.assertEqual(state["status"], "playing")
        wait_until(lambda: self.frame_shown() - {31}, 5, "play to continue")
        self.wall.call("pause")
        time.sleep(0.5)
        before = self.frame_shown()
        time.sleep(0.3)
        self.assertEqual(self.frame_shown(), before)
        self.assertEqual(len(before), 1)

    def test_after_a_seek_the_frame_before_it_is_never_told_again(self):
        self.wall.call("load", name="first", paused=True)
        with contextlib.closing(Control(self.wall.control)) as control:
            for frame in (3, 30, 8, 25) * 5:
                control.call("seek", frame=frame)
                for _ in range(15):
                    self.assertEqual(control.call("state")["frame"], frame)
                    time.sleep(0.005)

    def test_a_playout_delay_that_is_not_adapted_never_changes(self):
        def codes():
            with contextlib.closing(Control(self.wall.control)) as control:
                return {event["code"] for event in control.call("subscribe", stats=False)["events"]}

        wait_until(lambda: "node-joined" in codes(), 10, "a node")
        self.assertNotIn("playout-delay", codes())

    def test_a_loop_keeps_within_in_and_out(self):
        self.wall.call("load", name="first", frame=30)
        state = self.wall.call("loop", loop=True, **{"in": 10, "out": 12})
        self.assertEqual((state["in"], state["out"]), (10, 12))
        wait_until(lambda: self.frame_shown() & {10, 11, 12}, 5, "the loop on the tiles")
        seen = set()
        for rate in (1, -1):
            self.wall.call("rate", rate=rate)
            time.sleep(0.3)
            for _ in range(10):
                seen |= self.frame_shown()
                time.sleep(0.05)
        self.assertTrue(seen and seen <= {10, 11, 12}, seen)
        self.wall.call("rate", rate=1)
        for params, words in [({"in": 12, "out": 10}, "after out"), ({"in": 5, "out": 40}, "no frame 40")]:
            with self.assertRaises(RuntimeError) as caught:
                self.wall.call("loop", loop=True, **params)
            self.assertIn(words, str(caught.exception))
        with self.assertRaises(RuntimeError) as caught:
            self.wall.call("seek", frame=30)
        self.assertIn("outside of the loop", str(caught.exception))
        self.assertNotIn("in", self.wall.call("loop", loop=True))
        self.wall.call("seek", frame=30)

    def test_describe_and_delete_reach_the_disk(self):
        self.wall.ingest(self.wall.folder / "source", "third", "--rate", "30", "--frames", "3")
        self.wall.call("list")
        folder = self.wall.folder / "content" / "third"
        self.wall.call("describe", name="third", title="Three frames", tags=["short"])
        manifest = json.loads((folder / "visualization.json").read_text())
        self.assertEqual((manifest["title"], manifest["tags"], manifest["frames"]), ("Three frames", ["short"], 3))
        self.wall.call("load", name="third", paused=True)
        with self.assertRaises(RuntimeError) as caught:
            self.wall.call("delete", name="third")
        self.assertIn("on the wall", str(caught.exception))
        self.wall.call("load", name="first")
        self.assertEqual(self.wall.call("delete", name="third"), {"left": []})
        self.assertFalse(folder.exists())

    def test_a_copy_takes_nothing_of_the_original_with_it(self):
        disk, content = self.wall.folder / "disk2", self.wall.content
        self.wall.ingest(self.wall.folder / "source", "wide", "--rate", "30", "--frames", "10", out=f"{content},{disk}")
        shutil.copytree(content / "wide", content / "copy")
        self.wall.call("list")
        self.wall.call("load", name="wide", paused=True)
        self.assertEqual(self.wall.call("delete", name="copy"), {"left": [str(disk / "wide")]})
        self.assertFalse((content / "copy").exists())
        self.assertEqual(run(program("wall-ingest"), "--verify", content / "wide").returncode, 0)
        for load in (False, True):
            if load:
                self.wall.call("load", name="wide", paused=True)
            self.wall.call("seek", frame=7)
            wait_until(lambda: self.frame_shown() == {7}, 5, "the original to play on")
        self.wall.call("load", name="first")
        self.assertEqual(self.wall.call("delete", name="wide"), {"left": []})
        self.assertFalse((disk / "wide").exists())

    def test_replaced_by_another_shape_it_is_refused_and_the_server_stays(self):
        self.wall.ingest(self.wall.folder / "source", "swapped", "--rate", "30", "--frames", "3")
        self.wall.call("list")
        other = Wall(1, 1, tile=(32, 32))
        other.ingest(self.wall.folder / "source", "swapped", "--rate", "30", "--frames", "1", "--overwrite", out=self.wall.content)
        with self.assertRaises(RuntimeError) as caught:
            self.wall.call("load", name="swapped")
        self.assertIn("this wall has 2x1 tiles", str(caught.exception))
        self.wall.call("load", name="first", paused=True, frame=9)
        wait_until(lambda: self.frame_shown() == {9}, 5, "another one")
        self.wall.call("list")
        self.wall.call("delete", name="swapped")

    def test_a_link_named_as_the_poster_leads_nowhere(self):
        folder = self.wall.ingest(self.wall.folder / "source", "linked", "--rate", "30", "--frames", "3")
        (folder / "poster.jpg").unlink()
        (folder / "poster.jpg").symlink_to("/etc/hostname")
        self.wall.call("list")
        with self.assertRaises(RuntimeError) as caught:
            self.wall.call("image", name="linked", kind="poster")
        self.assertIn("link", str(caught.exception))
        self.assertEqual(self.wall.call("delete", name="linked"), {"left": [str(folder / "poster.jpg")]})

    def test_removed_from_the_disk_while_it_plays(self):
        self.wall.ingest(self.wall.folder / "source", "gone", "--rate", "30", "--frames", "30")
        self.wall.call("load", name="gone", paused=True, frame=25)
        wait_until(lambda: self.frame_shown() == {25}, 5, "frame 25 on all tiles")
        shutil.rmtree(self.wall.folder / "content" / "gone")
        self.assertNotIn("gone", [v["name"] for v in self.wall.call("list")["visualizations"]])
        self.wall.call("seek", frame=3)
        wait_until(lambda: self.frame_shown() == {3}, 5, "the files that are open to play on")
        with self.assertRaises(RuntimeError) as caught:
            self.wall.call("load", name="gone")
        self.assertIn("no visualization 'gone'", str(caught.exception))
        self.wall.call("load", name="first")

    def test_end_without_loop_goes_to_the_playlist(self):
        self.wall.call("rate", rate=1)
        self.wall.call("loop", loop=False)
        self.wall.call("playlist", names=["second"])
        self.wall.call("load", name="first", frame=35)
        wait_until(lambda: self.wall.call("state").get("name") == "second", 5, "the playlist's next")
        wait_until(lambda: self.wall.call("state")["status"] == "paused", 5, "the end")
        self.assertEqual(self.wall.call("state")["frame"], 19)
        self.wall.call("loop", loop=True)

    def test_a_playlist_keeps_durations_and_repeats(self):
        self.wall.call("rate", rate=1)
        self.wall.call("loop", loop=True)
        entries = [{"name": "second", "loops": 2}, {"name": "first", "seconds": 0.8}]
        listed = self.wall.call("playlist", entries=entries, repeat=True)
        ids = [entry["id"] for entry in listed["entries"]]
        began = time.monotonic()
        state = self.wall.call("next")
        self.assertEqual((state["entry"]["id"], [e["id"] for e in state["playlist"]]), (ids[0], [ids[1], ids[0]]))
        wait_until(lambda: self.wall.call("state")["entry"]["id"] == ids[1], 10, "the second entry")
        self.assertGreater(time.monotonic() - began, 1.4)  # twice 20 frames at 25 frame/s, read ahead 0.1 s
        began = time.monotonic()
        wait_until(lambda: self.wall.call("state")["entry"]["id"] == ids[0], 10, "the first entry again")
        self.assertGreater(time.monotonic() - began, 0.5)
        self.wall.call("playlist", entries=[])
        with self.assertRaises(RuntimeError) as caught:
            self.wall.call("next")
        self.assertIn("nothing follows", str(caught.exception))
        with self.assertRaises(RuntimeError) as caught:
            self.wall.call("playlist", entries=[{"name": "first", "loops": 1, "seconds": 5}])
        self.assertIn("both loops and seconds", str(caught.exception))
        self.assertNotIn("entry", self.wall.call("load", name="first"))

    def test_two_operators_hear_of_each_other(self):
        one, two = Control(self.wall.control), Control(self.wall.control)
        one.call("subscribe", stats=False)
        two.call("load", name="second")
        end = time.monotonic() + 5
        while time.monotonic() < end:
            message = one.receive()
            if message.get("method") == "state" and message["params"].get("name") == "second":
                return
        self.fail("no state notification")

    def test_errors_say_what_and_how_to_mend(self):
        for method, params, words in [("load", {"name": "nowhere"}, "nowhere"), ("seek", {"frame": 10**6}, "frame"), ("rate", {"rate": 0}, "rate"),
                                      ("load", {"nam": "first"}, "nam"), ("dance", {}, "dance")]:
            with self.subTest(method):
                with self.assertRaises(RuntimeError) as caught:
                    self.wall.call("load", name="first") if method == "seek" else None
                    self.wall.call(method, **params)
                self.assertIn(words, str(caught.exception))

    def test_machines_of_server_and_nodes(self):
        wait_until(lambda: all("machine" in machine for machine in self.wall.call("machines")["machines"]), 10, "what the nodes' hosts are")
        answer = self.wall.call("machines")
        self.assertEqual([m["role"] for m in answer["machines"]], ["server", "node", "node"])
        for machine in answer["machines"]:
            self.assertGreater(sum(len(core["cpus"]) for core in machine["machine"]["topology"]["cores"]), 0)
            self.assertIn("127.0.0.1", [a for i in machine["machine"]["interfaces"] for a in i["addresses"]])
        self.assertEqual(answer["machines"][0]["machine"]["disks"][0]["directory"], str(self.wall.content))
        self.assertEqual(answer["flows"][1], {"flow": 1, "leaves_by": "127.0.0.1", "arrives_at": "127.0.0.1"})

    def test_metrics_and_health(self):
        self.wall.call("load", name="first")
        time.sleep(1)
        text = urllib.request.urlopen(f"http://{self.wall.control}/metrics", timeout=5).read().decode()
        self.assertIn("# TYPE lambdawall_", text)
        self.assertIn('flow="0"', text)
        self.assertEqual(urllib.request.urlopen(f"http://{self.wall.control}/healthz", timeout=5).status, 200)

    @unittest.skipUnless(pathlib.Path(program("wall-control")).exists(), "wall-control is not built under sanitizers")
    def test_call_from_a_script(self):
        result = run(program("wall-control"), "--call", "state", "--connect", self.wall.control)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("status", json.loads(result.stdout))
        result = run(program("wall-control"), "--call", "load", '{"name": "nowhere"}', "--connect", self.wall.control)
        self.assertEqual(result.returncode, 1)
        self.assertIn("nowhere", result.stderr)


if __name__ == "__main__":
    real_time.main(verbosity=2)
