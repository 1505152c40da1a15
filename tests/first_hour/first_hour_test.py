"""The first hour of a new user, in the real windows: start the demo wall, import a film, play it, make a playlist; a path that loses packets, its cause found
by three clicks; a recording and a report. Every step is done by key presses and clicks, checked by what is then seen, and kept as a screenshot.

LW_PICTURES: the folder for the screenshots. LW_FIRST_HOUR=complete: the demo wall computes its films itself, as it does for every new user; otherwise they are there
already, smaller ones. It runs in its own network, since the demo wall has its usual ports."""
import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "support"), str(pathlib.Path(__file__).resolve().parent)]
import real_time  # noqa: E402
from PIL import Image  # noqa: E402
from desk import CHECKED, Desk  # noqa: E402
from loss import end_loss, lose_packets  # noqa: E402
from wall import BIN, program, run, wait_until  # noqa: E402

PICTURES = pathlib.Path(os.environ.get("LW_PICTURES", BIN.parent / "pictures/first-hour"))
COMPLETE = os.environ.get("LW_FIRST_HOUR") == "complete"
SCREEN = (1920, 1080)
FILM = "Fractal garden"
STORE = "Fractal-garden"
FILM_S, FRAMES = 3, 90
PORTS_OF_RIGHT = (50002, 50006)  # flows 1 and 3 of walls/local-2x2.toml
LOST = 0.15
CLONE_NEWNET = 0x40000000


def setUpModule():
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
        raise unittest.SkipTest(f"cannot make a separate network: {os.strerror(ctypes.get_errno())}")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


def wall_file():
    """As the demo wall finds it."""
    return next(path for path in (BIN / "../share/lambdawall/walls/local-2x2.toml", BIN / "../../../walls/local-2x2.toml") if path.is_file()).resolve()


@unittest.skipUnless(shutil.which("openbox") and shutil.which("xdotool"), "needs openbox and xdotool")
class FirstHour(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="lambdawall-first-hour-"))
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.content = self.home / ".local/share/lambdawall/demo/content"
        PICTURES.mkdir(parents=True, exist_ok=True)
        for old in (*PICTURES.glob("[0-9][0-9]-*.png"), *PICTURES.glob("failed-*.txt")):
            old.unlink()
        self.desk = Desk(self.home, SCREEN)
        self.steps = 0

    def picture(self, step):
        self.steps += 1
        return self.desk.picture(PICTURES / f"{self.steps:02}-{step}.png")

    def test_the_first_hour(self):
        self.make_film()
        if not COMPLETE:
            self.make_samples()
        for step in (self.start, self.start_demo, self.import_film, self.play, self.make_playlist, self.lose, self.find_cause, self.record, self.repair,
                     self.save_report, self.quit, self.end_by_signal):
            try:
                step()
            except BaseException:
                self.picture(f"failed-{step.__name__}")
                (PICTURES / f"failed-{step.__name__}.txt").write_text("\n".join(map(str, self.desk.see())))
                raise

    # Before the first step.

    def make_film(self):
        self.film = self.home / f"{FILM}.mp4"
        done = run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "mandelbrot=size=1280x720:rate=30", "-f", "lavfi", "-i", "sine=440", "-t", FILM_S, "-c:v", "mpeg4", "-q:v", 3, self.film)
        self.assertEqual(done.returncode, 0, done.stderr)

    def make_samples(self):
        pictures = self.home / "samples"
        made = run(program("wall-samples"), "--out", pictures, "--size", "648x408", "--frames", 60, "--particles", 20)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.content.mkdir(parents=True)
        for name, title in (("cosmos-2d", "Cosmic web, whole domain"), ("cosmos-3d", "Flight through the cosmic web")):
            made = run(program("wall-ingest"), pictures / name, "--wall", wall_file(), "--out", self.content, "--name", name, "--title", title)
            self.assertEqual(made.returncode, 0, made.stderr)
        shutil.rmtree(pictures)

    # Eyes.

    def answer(self):
        """Whether the wall is healthy, in the words of the strip: the answer, and what is wrong."""
        seen = self.desk.see()
        place = next((i for i, part in enumerate(seen) if part.name == "Health of the wall"), None)
        return (seen[place + 1].name, seen[place + 1].description) if place is not None else ("", "")

    def wait_for_answer(self, means, seconds, what):
        """`means`: of the words. A busy machine shows frames late, of which the answer may also speak."""
        newest = []

        def there():
            newest[:] = self.answer()
            return means(*newest)
        try:
            wait_until(there, seconds, what)
        except AssertionError as error:
            self.fail(f"{error}; the answer is {newest}")

    def wait_for_no_loss(self):
        self.wait_for_answer(lambda answer, about: answer and "acket loss" not in about, 60, "an answer without a word of packet loss")

    def wait_for_named_node(self):
        self.wait_for_answer(lambda _, about: about.startswith("Packet loss on node right"), 30, "the answer to name the node")

    def position(self):
        return int(re.search(r"frame (\d+) of", self.desk.wait_for("^Position$").description).group(1))

    def corner_of_wall(self):
        """The mean colour of what is seen of the wall's first window beside the control window."""
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            return self.desk.picture(file.name).crop((4, 140, 120, 260)).resize((1, 1)).getpixel((0, 0))

    # The steps.

    def start_control(self):
        self.control = self.desk.start(program("wall-control"), cwd=self.home)
        self.addCleanup(self.end_control)

    def start(self):
        self.start_control()
        self.desk.wait_for("^No wall is connected yet$")
        before = self.desk.wait_for("^Start demo wall$", "push button")
        self.desk.wait_for("^(ready|small) for the demo$")
        self.assertEqual(self.desk.wait_for("^Start demo wall$", "push button").box, before.box, "the button moved while this computer was checked")
        self.picture("start")

    def end_control(self):
        """With the programs of the demo wall, also where a step failed."""
        if self.control.poll() is None:
            os.killpg(self.control.pid, signal.SIGKILL)
            self.control.wait()

    def start_demo(self):
        self.desk.click("^Start demo wall$", "push button")
        if COMPLETE:
            self.desk.wait_for("^Computing a small universe$")
            self.picture("demo-prepares")
        self.desk.wait_for("^The demo wall is playing", seconds=600 if COMPLETE else 60)
        self.desk.wait_for("^Tile 1,1$", "cell")
        windows = self.desk.windows()
        self.assertEqual(len(windows), 5)
        self.assertIn("Lambdawall control", windows[-1], "the wall's windows are in front")
        self.wait_for_no_loss()
        self.picture("demo-plays")
        colors = set()
        wait_until(lambda: colors.add(self.corner_of_wall()) or len(colors) > 1, 10, "the wall's window to show other frames")

    def import_film(self):
        """By the keyboard; the fields for the wall file and the content are filled only where the window does not know them."""
        self.desk.press("ctrl+i")
        self.desk.wait_for("^Import$", "dialog")
        self.desk.type(str(self.film))
        for name, value in (("Wall file", wall_file()), ("Content", self.content)):
            seen = self.desk.see()
            row = next((i for i, part in enumerate(seen) if part.name == name and part.role != "label"), None)
            if row is None:
                continue
            field = next(part for part in seen[row:] if part.role == "text")
            if not field.text:
                self.desk.click(field.middle)
                self.desk.type(str(value))
        self.desk.wait_for(r"1280 × 720 · 30 fps · 0:03")
        self.desk.wait_for(r"MB become \d+ MB$")
        self.desk.wait_for("^Its sound is kept")
        self.desk.click("^Put on the wall when ready$", "check box")
        wait_until(lambda: self.desk.find("^Put on the wall when ready$")[0].has(CHECKED), 5, "the check mark")
        self.desk.click("^Low priority", "check box")
        self.picture("import")
        self.desk.click("^Import$", "push button")
        self.desk.wait_for(f"^{STORE} is in the library", seconds=150)
        self.picture("imported")
        self.desk.click("^Close$", "push button")
        self.desk.wait_for(f"^{STORE}, {FRAMES} frames", "list item")
        self.assertTrue((self.content / STORE / "visualization.json").is_file())

    def play(self):
        """It is on the wall; the space bar pauses and plays, the arrow shows the next frame."""
        self.desk.wait_for(f"^{STORE}$", description="1296 x 816 pixels, 30 fps")
        self.desk.press("space")
        self.desk.wait_for("^Play$", "push button")
        paused = self.position()
        time.sleep(0.5)
        self.assertEqual(self.position(), paused)
        self.desk.press("Right")
        wait_until(lambda: self.position() == (paused + 1) % FRAMES, 5, "the next frame")
        self.desk.press("Home")
        wait_until(lambda: self.position() == 0, 5, "the first frame")
        first = run("ffmpeg", "-v", "error", "-i", self.film, "-frames:v", 1, "-y", self.home / "first.png")
        self.assertEqual(first.returncode, 0, first.stderr)
        expected = self.expected_corner(self.home / "first.png")
        wait_until(lambda: max(abs(a - b) for a, b in zip(self.corner_of_wall(), expected)) < 12, 10, f"the film's colour {expected} in the wall's window")
        self.picture("paused")
        self.desk.press("space")
        self.desk.wait_for("^Pause$", "push button")
        self.picture("play")

    def expected_corner(self, frame):
        """Of the film on 1296x816 with borders."""
        width, height = 1296, 1296 * 720 // 1280
        top = (816 - height) // 2
        with Image.open(frame) as film:
            return film.convert("RGB").resize((width, height)).crop((4, 140 - top, 120, 260 - top)).resize((1, 1)).getpixel((0, 0))

    def make_playlist(self):
        self.desk.click(f"^{STORE}, ", "list item")
        self.desk.click("^Add what is selected$", "push button")
        self.desk.wait_for(f"^{STORE}, once", "list item")
        self.desk.click("^Cosmic web, whole domain, 60|^Cosmic web, whole domain, 80", "list item")
        self.desk.click("^Add what is selected in the library$", "push button")
        self.desk.click("^Repeat", "check box")
        self.desk.wait_for("^2 entries .* repeats$")
        self.picture("playlist-edited")
        self.desk.click("^Play from start$|^Apply and play from the start$", "push button")
        self.desk.wait_for("^Live$", "label")
        self.desk.wait_for(f"^{STORE}, Playing", "list item")
        self.picture("playlist")
        self.desk.wait_for("^Cosmic web, whole domain, Playing", "list item")

    def lose(self):
        """The path to one of two nodes loses packets. The answer says so."""
        self.wait_for_no_loss()
        lose_packets("lo", PORTS_OF_RIGHT, LOST)
        self.addCleanup(end_loss, "lo")
        self.wait_for_named_node()
        self.picture("incident")

    def find_cause(self):
        """By three clicks: the tile and its stage, the flow, the host."""
        self.wait_for_named_node()
        self.desk.click("^Show cause$", "push button")
        self.desk.wait_for("^Packets are lost on the way to right$")
        self.desk.wait_for("^2 of its 2 flows lose packets$")
        self.desk.wait_for("^Tile 1,[01]$", "push button")
        self.picture("cause")
        flows = self.desk.wait_for("^Flows$", "filler", r"^flow [13]: ")
        x, y, width, height = flows.box
        self.desk.click((x + width // 4, y + height - height // 4))
        self.desk.wait_for("^Flow [13]$", "push button")
        self.picture("cause-flow")
        self.desk.click("^Open in Hosts$", "push button")
        self.desk.wait_for("^Node right", "label")
        self.picture("cause-host")
        self.desk.press("ctrl+1")
        self.desk.wait_for("^Tile 1,1$", "cell")
        for state in ("Play", "Pause"):  # the keys are the wall's again
            self.desk.press("space")
            self.desk.wait_for(f"^{state}$", "push button")

    def record(self):
        self.desk.press("ctrl+shift+r")
        self.desk.wait_for("^Record a session", "dialog")
        self.picture("record-where")
        self.desk.press("Return")
        wait_until(lambda: self.desk.find(r"^Recording 0:00:(0[2-9]|[1-5])"), 15, "two seconds of recording")
        self.picture("recording")

    def repair(self):
        """The path is good again, and so is the answer. Then the recording ends."""
        end_loss("lo")
        self.wait_for_no_loss()
        self.picture("path-repaired")
        self.desk.press("ctrl+shift+r")
        self.desk.wait_for("^Saved the session ")
        self.picture("recorded")
        session, = self.home.glob("session-*/session.ndjson")
        kinds = [json.loads(line) for line in session.read_text().splitlines()]
        self.assertGreater(len(kinds), 50)

    def save_report(self):
        self.desk.press("ctrl+shift+e")
        self.desk.wait_for("^Save a report$", "dialog")
        self.desk.press("Return")
        self.desk.wait_for("^Saved .*lambdawall-report.html$")
        self.picture("report-saved")
        report = (self.home / "lambdawall-report.html").read_text()
        for words in ("Packet loss on node right", "Interarrival jitter"):
            self.assertIn(words, report)
        if shutil.which("chromium"):
            done = run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={self.home}/browser", "--hide-scrollbars",
                       "--window-size=1100,1400", f"--screenshot={PICTURES}/{self.steps + 1:02}-report.png", f"file://{self.home}/lambdawall-report.html", timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.steps += 1

    def quit(self):
        """The demo wall ends with the window, after a question."""
        self.desk.press("ctrl+q")
        self.desk.wait_for("^End the demo wall", "dialog")
        self.picture("quit")
        self.desk.click("^End and close$", "push button")
        self.assertEqual(self.control.wait(15), 0)
        wait_until(lambda: self.desk.windows() == [], 10, "the wall's windows to close")

    def end_by_signal(self):
        """The second time, the demo wall is there at once. A signal ends everything without a question."""
        self.start_control()
        self.desk.click("^Start demo wall$", "push button")
        self.desk.wait_for("^Tile 1,1$", "cell", seconds=60)
        self.control.send_signal(signal.SIGTERM)
        self.assertEqual(self.control.wait(15), 0)
        wait_until(lambda: self.desk.windows() == [], 10, "the wall's windows to close")


if __name__ == "__main__":
    real_time.main(verbosity=2)
