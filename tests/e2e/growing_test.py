"""A sequence plays while it is still being rendered: with the real programs, pixel for pixel."""
import pathlib
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from pictures import compare_dumps, make_source  # noqa: E402
from wall import Wall, program, start, stop, wait_until  # noqa: E402


class Growing(unittest.TestCase):
    frames = 60

    def setUp(self):
        self.wall = Wall(2, 1, tile=(160, 100), bezel=(8, 0))
        self.pictures = make_source(self.wall.folder / "rendered", self.wall.picture, self.frames)
        self.shot = self.wall.folder / "shot"
        self.shot.mkdir()
        self.rendered, self.running = 0, []

    def tearDown(self):
        for process in self.running:
            if process.poll() is None:
                stop(process)

    def render(self, until):
        """As a renderer that gives an image its name when it is complete."""
        for frame in range(self.rendered, until):
            (self.wall.folder / "rendered" / f"{frame:05d}.png").rename(self.shot / f"{frame:05d}.png")
        self.rendered = until

    def follow(self, *options):
        process = start(program("wall-ingest"), self.shot / "%05d.png", "--wall", self.wall.file, "--out", self.wall.content, "--name", "shot",
                        "--rate", "30", "--follow", "60", "--last", str(self.frames - 1), *options)
        self.running.append(process)
        return process

    def entry(self):
        found = [each for each in self.wall.call("list")["visualizations"] if each["name"] == "shot"]
        return found[0] if found else None

    def state(self):
        return self.wall.call("state")

    def has(self, frames):
        wait_until(lambda: self.state().get("frames") == frames, 20, f"{frames} frames to play")

    def test_frames_are_shown_as_they_come_also_after_a_kill(self):
        wall = self.wall
        self.render(10)
        ingest = self.follow()
        self.running.append(wall.server())
        wait_until(self.entry, 20, "the library to find what grows")
        self.assertTrue(self.entry()["growing"])
        dumps = {node: wall.folder / f"dump-{node}" for node in wall.nodes}
        clients = [wall.client(node, "--headless", "--dump", str(dumps[node])) for node in wall.nodes]
        self.running += clients
        wall.call("loop", loop=False)
        wall.call("load", name="shot")
        self.has(10)
        self.assertTrue(self.state()["growing"])
        # Without a loop, the last frame stays until more come; it does not end.
        wait_until(lambda: self.state()["frame"] == 9, 10, "the last frame so far")
        time.sleep(1)
        self.assertEqual((self.state()["status"], self.state()["frame"]), ("playing", 9))
        with self.assertRaises(Exception):
            wall.call("delete", name="shot")
        self.render(30)
        self.has(30)
        wait_until(lambda: self.state()["frame"] == 29, 10, "the last frame so far")
        # All frames so far play on without the import, and grows again when it continues.
        ingest.send_signal(signal.SIGKILL)
        ingest.wait()
        self.render(40)
        time.sleep(1)
        self.assertEqual(self.state()["frames"], 30)
        wall.call("loop", loop=True)
        ingest = self.follow()
        self.has(40)
        self.assertTrue(self.state()["growing"])
        self.render(self.frames)
        self.assertEqual(ingest.wait(30), 0)
        wait_until(lambda: "growing" not in self.state(), 20, "the complete store")
        self.assertEqual(self.state()["frames"], self.frames)
        self.assertNotIn("growing", self.entry())
        self.assertEqual(sorted(path.name for path in (wall.content / "shot").iterdir() if "grow" in path.name or "journal" in path.name), [])
        time.sleep(3)  # all of it, at 30 frame/s
        stats = wall.call("stats")
        for node in stats["nodes"]:
            for tile in node["report"]["tiles"]:
                self.assertEqual(tile["shown_concealed"], 0)
        for client in clients:
            self.assertEqual(stop(client), 0)
        self.assertEqual(compare_dumps(self, wall, dumps, self.pictures, self.frames), 2 * self.frames)


if __name__ == "__main__":
    real_time.main()
