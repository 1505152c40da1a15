"""`wall-probe analyze`: a file that is not a capture is refused in one line; an empty capture is reported as such."""
import json
import pathlib
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import program, run  # noqa: E402


class Analyze(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "capture.pcap"

    def analyze(self, *options):
        return run(program("wall-probe"), "analyze", *options)

    def test_wrong_files(self):
        self.file.write_text("not a capture\n" * 100)
        empty = self.file.with_name("empty.pcap")
        empty.touch()
        for file, words in ((self.file, "pcapng"), (empty, "empty"), ("/nowhere.pcap", "/nowhere.pcap"), (self.file.parent, str(self.file.parent))):
            with self.subTest(words):
                result = self.analyze(file)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
                self.assertIn(words, result.stderr)
        self.assertEqual(self.analyze().returncode, 2)
        self.assertEqual(self.analyze(self.file, "--clock-hz", "0").returncode, 2)

    def test_no_stream(self):
        self.file.write_bytes(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        self.assertIn("no RTP stream", self.analyze(self.file).stdout)
        self.assertEqual(json.loads(self.analyze(self.file, "--json").stdout)["streams"], [])


if __name__ == "__main__":
    real_time.main(verbosity=2)
