"""What a desktop shows of wall-control: its entry, its icon, its page in a software centre, and the kinds of files."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import real_time  # noqa: E402

DESKTOP = ROOT / "deploy/desktop"
ENTRY = DESKTOP / "lambdawall-control.desktop"
METAINFO = DESKTOP / "org.example.lambdawall.control.metainfo.xml"
ICON = DESKTOP / "lambdawall-control.svg"


def checked(*command, **kwargs):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, **kwargs)
    return done.returncode, done.stdout + done.stderr


class Desktop(unittest.TestCase):
    stall_max_s = float("inf")  # nothing in real time

    @unittest.skipUnless(shutil.which("desktop-file-validate"), "desktop-file-validate is missing: scripts/install-deps test")
    def test_the_entry_is_valid(self):
        self.assertEqual(checked("desktop-file-validate", ENTRY), (0, ""))

    @unittest.skipUnless(shutil.which("appstreamcli"), "appstreamcli is missing: scripts/install-deps test")
    def test_the_page_is_valid(self):
        status, text = checked("appstreamcli", "validate", "--no-net", "--no-color", METAINFO)
        self.assertEqual(status, 0, text)

    def test_entry_and_page_name_what_is_installed(self):
        entry = dict(line.split("=", 1) for line in ENTRY.read_text().splitlines()[1:])
        page = xml.parse(METAINFO).getroot()
        self.assertEqual((entry["Exec"], entry["Icon"]), ("wall-control", ICON.stem))
        self.assertEqual((page.findtext("launchable"), page.findtext("icon"), page.findtext("provides/binary"), page.findtext("id")),
                         (ENTRY.name, entry["Icon"], entry["Exec"], METAINFO.name.removesuffix(".metainfo.xml")))
        self.assertEqual((page.findtext("name"), page.findtext("summary")), (entry["Name"], entry["Comment"]))
        installed = (ROOT / "cmake/LambdawallInstall.cmake").read_text()
        for file in DESKTOP.iterdir():
            self.assertIn(f"install(FILES deploy/desktop/{file.name} ", installed)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is missing: scripts/install-deps test")
    def test_the_icon_shows_on_light_and_dark_at_16_pixels(self):
        """Its edge differs from white and from black, and so does its letter from its ground."""
        done = subprocess.run(["ffmpeg", "-v", "error", "-width", "16", "-height", "16", "-i", ICON, "-f", "rawvideo", "-pix_fmt", "rgba", "-"], capture_output=True, timeout=60)
        self.assertEqual((done.returncode, len(done.stdout)), (0, 16 * 16 * 4), done.stderr)
        light = [(sum(done.stdout[at:at + 3]) / 3, done.stdout[at + 3]) for at in range(0, len(done.stdout), 4)]
        opaque = [value for value, alpha in light if alpha > 200]
        self.assertGreater(len(opaque), 150, "an icon has a ground")
        self.assertGreater(len([value for value in opaque if value > 180]), 10, "the letter")
        self.assertGreater(len([value for value in opaque if value < 120]), 40, "the ground")
        edge = light[8][0]  # the middle of the upper edge
        self.assertTrue(60 < edge < 220, edge)

    @unittest.skipUnless(shutil.which("update-mime-database") and shutil.which("gio"), "gio or update-mime-database is missing: scripts/install-deps test")
    def test_the_project_s_files_have_their_kinds_and_no_others(self):
        with tempfile.TemporaryDirectory() as folder:
            packages = pathlib.Path(folder, "mime/packages")
            packages.mkdir(parents=True)
            shutil.copy(DESKTOP / "lambdawall.xml", packages)
            there = os.environ | {"XDG_DATA_HOME": folder}
            self.assertEqual(checked("update-mime-database", packages.parent, env=there), (0, ""))
            for name, kind in (("wall.toml", "application/x-lambdawall-wall"), ("visualization.json", "application/x-lambdawall-visualization"),
                               ("pyproject.toml", "application/toml"), ("package.json", "application/json")):
                file = pathlib.Path(folder, name)
                file.write_text('{"a": 1}\n' if name.endswith("json") else 'a = 1\n')
                status, text = checked("gio", "info", "--attributes=standard::content-type", file, env=there)
                self.assertEqual((status, text.rsplit("standard::content-type: ", 1)[-1].strip()), (0, kind), name)


if __name__ == "__main__":
    real_time.main()
