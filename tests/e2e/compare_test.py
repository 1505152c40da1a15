"""`wall-probe compare` on results of known figures."""
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from results_maker import FACTS, Directory  # noqa: E402
from wall import program, run  # noqa: E402


def compare(*options):
    return run(program("wall-probe"), "compare", *options)


class Compare(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lambdawall-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def sweep(self, name, rates, point=None, **members):
        made = Directory(self.folder / name, axes=[{"key": "flows", "label": "flows", "values": [6]}])
        for rate in rates:
            made.add(point or {"flows": 6}, {"gbit_per_s": rate, "jitter_us": 3.0}, **members)
        return made

    def test_a_difference(self):
        a = self.sweep("a", [10.3, 10.4, 10.5, 10.6, 10.7])
        a.add({"flows": 6}, {"gbit_per_s": 1.0}, marks=[{"what": "clock_stepped"}])
        a.add({"flows": 6}, {"gbit_per_s": 1.0}, complete=False)
        b = self.sweep("b", [10.0, 10.01, 10.02, 10.03, 10.04])
        result = compare(a.folder, b.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("A is faster by 4.79 % (2.79 to 6.79 %), p = 0.0079", result.stdout)
        self.assertIn("excluded from A: 1 marked and 1 incomplete runs", result.stdout)
        told = json.loads(compare(a.folder, b.folder, "--json", "--figure", "gbit_per_s").stdout)
        self.assertEqual(list(told["points"][0]["figures"]), ["gbit_per_s"])
        figure = told["points"][0]["figures"]["gbit_per_s"]
        self.assertAlmostEqual(figure["p"], 2 / 252)
        self.assertTrue(figure["p_exact"] and figure["differs"])
        self.assertEqual((figure["a"]["runs"], figure["a"]["median"]), (5, 10.5))

    def test_points_of_one_sweep(self):
        made = Directory(self.folder / "sweep", axes=[{"key": "flows", "label": "flows", "values": [1, 6]}])
        for repetition in range(1, 8):
            for flows in (1, 6):
                made.add({"flows": flows}, {"gbit_per_s": 10.0 * repetition + flows, "loss": 0.0}, repetition=repetition)
        result = compare(made.folder, "--by", "flows")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("A: flows 1; B: flows 6\n", result.stdout)
        self.assertIn("A is slower by 10.9 % (10.9 to 10.9 %), p = 0.016", result.stdout)
        self.assertIn("1 of 2 figures can differ", result.stdout)
        made = json.loads(compare(made.folder, "--by", "flows", "--json").stdout)
        self.assertTrue(made["paired"])
        figure = made["points"][0]["figures"]["gbit_per_s"]
        self.assertAlmostEqual(figure["p"], 2 / 128)
        self.assertEqual((figure["a_above_b"], figure["differs"]), (0, True))

    def test_two_files(self):
        a, b = self.sweep("a", [10.0]), self.sweep("b", [11.0], point={"flows": 7})
        result = compare(a.folder / "runs/0001.json", b.folder / "runs/0001.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("too few runs: with 1 and 1", result.stdout)

    def test_unlike_results_are_refused(self):
        a = self.sweep("a", [10.0, 11.0])
        b = self.sweep("b", [10.0, 11.0], facts=FACTS | {"name": "other", "limits": {"kernel": "6.6.1"}}, load={"flows": 2})
        result = compare(a.folder, b.folder)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(len(result.stderr.strip().splitlines()), 1)
        for words in ("host: a against other", "kernel: 6.1.0-18-amd64 against 6.6.1", "load flows: 1 against 2", "--even-so"):
            self.assertIn(words, result.stderr)
        result = compare(a.folder, b.folder, "--even-so")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.startswith("SETTINGS DIFFER"))
        self.assertEqual(len(json.loads(compare(a.folder, b.folder, "--even-so", "--json").stdout)["unlike"]), 3)

    def test_wrong_input(self):
        a = self.sweep("a", [10.0])
        b = self.sweep("b", [10.0], point={"flows": 7})
        (self.folder / "broken.json").write_text("{")
        for options, words in (((a.folder, b.folder), "no point"), ((a.folder, a.folder, "--figure", "furlongs"), "no figure"),
                               ((a.folder, self.folder / "broken.json"), "broken.json: the file is not valid JSON")):
            with self.subTest(words):
                result = compare(*options)
                self.assertEqual(result.returncode, 1)
                self.assertIn(words, result.stderr)
                self.assertEqual(len(result.stderr.strip().splitlines()), 1)
        self.assertEqual(compare(a.folder).returncode, 2)
        self.assertEqual(compare(a.folder, b.folder, "--by", "flows").returncode, 2)
        result = compare(a.folder, "--by", "colour")
        self.assertEqual(result.returncode, 1)
        self.assertIn("has no axis colour; name one of its axes: flows", result.stderr)


if __name__ == "__main__":
    real_time.main(verbosity=2)
