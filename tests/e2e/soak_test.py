"""scripts/soak in its short form; and its judgement, on samples that are flat and on others."""
import json
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/soak"))
import soak  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import run  # noqa: E402


class Judgement(unittest.TestCase):
    @staticmethod
    def samples(seconds, **figures):
        return [{"t_s": t, "programs": {"server": {key: value(t) for key, value in figures.items()}}} for t in range(0, seconds, 10)]

    def test_flat(self):
        flat = self.samples(3600, rss_kib=lambda t: 50_000 + t % 70, descriptors=lambda t: 20 + (t // 10) % 2, threads=lambda _: 7, lateness_us=lambda t: 100 + t % 30)
        self.assertEqual(soak.judged(flat, 3600)[0], [])
        start_up = self.samples(3600, rss_kib=lambda t: 50_000 + min(t, 600) * 20)
        self.assertEqual(soak.judged(start_up, 3600)[0], [])

    def test_not_flat(self):
        for figures in ({"rss_kib": lambda t: 50_000 + t}, {"rss_kib": lambda t: 50_000 + 0.4 * t}, {"descriptors": lambda t: 20 + t // 300}, {"threads": lambda t: 7 + t // 600},
                        {"lateness_us": lambda t: 100 + 30 * t}, {"clock_error_us": lambda t: 50 + t}):
            with self.subTest(*figures):
                self.assertEqual(len(soak.judged(self.samples(3600, **figures), 3600)[0]), 1)


class Short(unittest.TestCase):
    def test_it_is_flat(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "samples.ndjson"
            done = run("/usr/bin/python3", ROOT / "tests/soak/soak.py", "--minutes", 0.4, "--interval", 0.5, "--out", out, env=dict(os.environ), timeout=120)
            print(done.stdout, done.stderr)
            self.assertEqual(done.returncode, 0)
            lines = [json.loads(line) for line in out.read_text().splitlines()]
            self.assertGreater(len(lines), 20)
            self.assertEqual(lines[-1]["wrong"], [])
            self.assertGreater(sum(lines[-1]["deeds"].values()), 3)
            self.assertEqual(set(lines[0]["programs"]), {"relay", "server", "node-0", "node-1", "node-2"})


if __name__ == "__main__":
    real_time.main()
