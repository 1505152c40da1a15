"""tests/first_hour from the Debian packages, on a Debian 12 that has these, their dependencies and a desk: as a new user has it, who lets the demo wall
compute its films. The screenshots are in build/hosts/screenshots."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from debian_host import CACHE, ROOT, SLEEP, DebianHost, with_packages  # noqa: E402
from debian_packages import BUILT, dependencies, files  # noqa: E402

DESK = ("at-spi2-core", "dbus", "ffmpeg", "imagemagick", "iproute2", "libgl1-mesa-dri", "openbox", "python3", "python3-dbus", "python3-pil", "x11-utils", "xdotool",
        "xvfb")
TEST = "/tests/first_hour/first_hour_test.py"


class FirstHour(unittest.TestCase):
    stall_max_s = float("inf")  # the test on the host has its own

    def test_the_first_hour(self):
        screenshots = CACHE / "screenshots"
        screenshots.mkdir(exist_ok=True)
        shared = {"/packages": BUILT, "/tests": ROOT / "tests", "/screenshots": screenshots}
        with DebianHost("first-hour", with_packages(*DESK, lower=with_packages(*dependencies())), SLEEP, shared=shared) as host:
            host.check("dpkg", "--install", *(f"/packages/{file.name}" for file in files()))
            # Frame stores are read past the page cache, which a /tmp in memory may not allow.
            done = host.run("env", "TMPDIR=/root", "LW_BIN=/usr/bin", "LW_FIRST_HOUR=complete", "LW_PICTURES=/screenshots", "/usr/bin/python3", TEST, timeout=1500)
        if done.returncode == real_time.SKIPPED:
            self.skipTest((done.stdout + done.stderr).strip().splitlines()[-1])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    real_time.main()
