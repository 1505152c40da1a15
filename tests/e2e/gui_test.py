"""The operator's window drives a real wall: tests/gui/live does the clicking, here are the server, its nodes and what they play."""
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import Wall, program, run, stop  # noqa: E402


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


if __name__ == "__main__":
    real_time.main()
