"""The operator's window drives a real wall: tests/gui/live does the clicking, here are the server, its nodes and what they play."""
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import Wall, free_tcp_port, program, run, stop  # noqa: E402


class Gui(unittest.TestCase):
    def test_the_window_drives_a_wall(self):
        wall = Wall(2, 2, tile=(320, 200), bezel=(8, 8), nodes={"left": [(0, 0), (0, 1)], "right": [(1, 0), (1, 1)]})
        pictures = wall.folder / "pictures"
        width, height = wall.picture
        made = run(program("wall-samples"), "--out", pictures, "--size", f"{width}x{height}", "--frames", 60, "--particles", 20)
        self.assertEqual(made.returncode, 0, made.stderr)
        wall.ingest(pictures / "cosmos-2d", "cosmos-2d", "--title", "Cosmic web, whole domain", "--tag", "cosmology", "--tag", "2d")
        wall.ingest(pictures / "cosmos-3d", "cosmos-3d", "--title", "Flight through the cosmic web", "--tag", "cosmology", "--tag", "3d")
        processes = [wall.server(), wall.client("left", "--headless"), wall.client("right", "--headless")]
        seen = pathlib.Path(os.environ.get("LW_PICTURES") or tempfile.mkdtemp(dir=wall.folder))
        seen.mkdir(parents=True, exist_ok=True)
        screen = wall.folder / "screen.json"
        screen.write_text(json.dumps({"screens": [{"name": "desk", "x": 0, "y": 0, "width": 1600, "height": 1000}]}))
        done = run(program("gui_live_tests"), timeout=180, env={**os.environ, "LW_CONNECT": wall.control, "LW_CONTENT": str(wall.content),
                                                               "LW_PICTURES": str(seen), "QT_QPA_PLATFORM": f"offscreen:configfile={screen}"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for process in processes:
            self.assertEqual(stop(process), 0)

    def screenshot(self, *options):
        """The run of a window that ends by itself, and what it saved."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        file = folder / "window.png"
        done = run(program("wall-control"), *options, "--screenshot", file, timeout=60,
                   env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **{f"XDG_{kind}": str(folder) for kind in ("CONFIG_HOME", "STATE_HOME", "RUNTIME_DIR")}})
        return done, file

    def test_a_screenshot_ends_the_window(self):
        wall = Wall(2, 1, tile=(160, 100))
        server = wall.server()
        done, file = self.screenshot("--connect", wall.control, "--after", 0.5)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(file.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(stop(server), 0)
        done, file = self.screenshot("--after", 0.5)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(file.exists())

    def test_a_screenshot_does_not_wait_for_a_server_forever(self):
        address = f"127.0.0.1:{free_tcp_port()}"
        done, file = self.screenshot("--connect", address, "--after", 0)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, f"^wall-control: not connected to {address} after 10 s \\(.*\\); the screenshot shows .*\n$")
        self.assertTrue(file.exists())


if __name__ == "__main__":
    real_time.main()
