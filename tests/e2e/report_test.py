"""`wall-probe report` and the published schemas, on results of known figures."""
import csv
import html.parser
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest
import xml.dom.minidom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from results_maker import FACTS, Directory, cpus, flow  # noqa: E402
from wall import program, run  # noqa: E402

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "docs/schema"
HOSTILE = """`touch {0}` '.system("touch {0}").' "$(touch {0})" <script>alert(1)</script> %s%n & \\n {{x}} ^_"""


def report(*options, **kwargs):
    return run(program("wall-probe"), "report", *options, **kwargs)


def pages_of_pdf(file):
    content = file.read_bytes()
    assert content.startswith(b"%PDF-") and b"%%EOF" in content[-32:], file
    return len(re.findall(rb"/Type /Page\b", content))


class Page(html.parser.HTMLParser):
    """What stands on a page, and whether its elements close as they open."""
    VOID = {"meta", "br"}

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.links, self.text = [], [], [], []
        self.feed(text)
        assert self.open == [], self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [value for key, value in attributes if key in ("href", "src", "xlink:href") and not value.startswith("#")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        opened = self.open.pop()
        assert opened == tag, f"{tag} closes {opened}"

    def handle_data(self, data):
        self.text.append(data)


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lambdawall-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        if shutil.which("gnuplot") is None:
            self.skipTest("gnuplot is missing: scripts/install-deps test")

    def pinning(self):
        """2 x 3 points, 6 runs each but where told."""
        axes = [{"key": "pinning", "label": "pinning", "values": ["none", "own core"]}, {"key": "flows", "label": "flows", "values": [1, 2, 6]}]
        plots = [{"kind": "line", "title": "Throughput by flows", "x": "flows", "y": "gbit_per_s", "by": "pinning"},
                 {"kind": "bars", "title": "The same as bars", "x": "flows", "y": "gbit_per_s", "by": "pinning"},
                 {"kind": "box", "title": "Of each flow", "x": "flows", "y": "gbit_per_s", "by": "pinning", "flows": True},
                 {"kind": "map", "title": "Pinning and flows", "x": "flows", "y": "pinning", "z": "gbit_per_s"},
                 {"kind": "time", "title": "Over time"},
                 {"kind": "cpus", "title": "CPUs"},
                 {"kind": "table", "title": "Figures", "columns": ["gbit_per_s", "loss"], "by": "pinning"},
                 {"kind": "cdf", "title": "Jitter of flows", "y": "jitter_us_p99", "by": "pinning", "flows": True},
                 {"kind": "line", "title": "Never measured", "x": "flows", "y": "furlongs_per_s"}]
        made = Directory(self.folder / "pinning", axes=axes, plots=plots, runs_planned=40)
        for pinning, each in (("none", 4.0), ("own core", 4.4)):
            for flows in (1, 2, 6):
                for repetition in range(1, 7):
                    rate = each * flows + 0.1 * repetition
                    made.add({"pinning": pinning, "flows": flows}, {"gbit_per_s": rate, "loss": 0.0}, repetition=repetition,
                             flows=[flow(f, each + 0.1 * f, jitter_us_p99=10.0 + f + repetition) for f in range(flows)])
        made.add({"pinning": "none", "flows": 6}, {"gbit_per_s": 3.0, "loss": 0.5}, repetition=7,
                 marks=[{"host": "client", "what": "clock_stepped", "at_s": 3.2, "note": "the system clock was stepped by 1.000 s"}])
        made.add({"pinning": "none", "flows": 6}, {"gbit_per_s": 99.0}, repetition=8, complete=False, error="the peer went away after 4 s")
        return made

    def table(self, name):
        with open(self.folder / "pinning/report" / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_everything(self):
        made = self.pinning()
        result = report(made.folder, "--json", "--pdf")
        self.assertEqual(result.returncode, 0, result.stderr)
        told = json.loads(result.stdout)
        self.assertEqual((told["runs"], told["runs_marked"], told["runs_incomplete"]), (38, 1, 1))
        six = next(p for p in told["points"] if p["point"] == {"pinning": "none", "flows": 6})
        self.assertEqual((six["runs"], six["runs_counted"]), (8, 6))
        figure = six["figures"]["gbit_per_s"]
        self.assertAlmostEqual(figure["median"], 24.35)
        # Of 6 values the extremes hold the median with 1 - 2/64.
        self.assertAlmostEqual((figure["low"]), 24.1)
        self.assertAlmostEqual((figure["high"]), 24.6)
        self.assertAlmostEqual(figure["coverage"], 0.96875)

        out = made.folder / "report"
        for picture in (p for plot in told["plots"] for p in plot["pictures"]):
            self.assertTrue((out / picture["csv"]).stat().st_size > 0)
            if "svg" in picture:
                root = xml.dom.minidom.parse(str(out / picture["svg"])).documentElement
                self.assertEqual(root.tagName, "svg")
                self.assertEqual(root.getElementsByTagName("script"), [])
        self.assertEqual([len(plot["pictures"]) for plot in told["plots"]], [1, 1, 1, 1, 6, 6, 1, 1, 0])

        line = self.table("01-line.csv")
        self.assertEqual([(row["series"], row["flows"]) for row in line], [(s, f) for s in ("none", "own core") for f in ("1", "2", "6")])
        self.assertAlmostEqual(float(line[2]["median"]), 24.35)
        self.assertEqual((line[2]["runs"], line[2]["marked_values"]), ("6", "3"))
        self.assertNotIn("99", line[2]["values"].split())
        box = next(row for row in self.table("03-box.csv") if (row["series"], row["flows"]) == ("own core", "6"))
        self.assertEqual(box["count"], "36")
        self.assertAlmostEqual(float(box["median"]), 4.65)
        heat = {(row["flows"], row["pinning"]): float(row["gbit_per_s"]) for row in self.table("04-map.csv")}
        self.assertAlmostEqual(heat["6", "own core"], 26.75)
        # Of six runs the third is the lower of the two in the middle; the sum is over all six flows.
        over_time = self.table("05-time-03.csv")
        sums = [float(row["gbit_per_s"]) for row in over_time if row["series"] == "sum"]
        self.assertEqual(len(sums), 10)
        self.assertAlmostEqual(sums[0], 6 * 4.0 + 1.5 - 6 * 0.02, places=6)
        self.assertEqual({row["run"] for row in over_time}, {"15"})
        cpu = self.table("06-cpus-01.csv")[1]
        self.assertEqual((cpu["cpu"], cpu["system"], cpu["idle"]), ("1", "0.3", "0.4"))
        self.assertEqual(len(self.table("07-table.csv")), 6)
        jitter = [row for row in self.table("08-cdf.csv") if row["series"].startswith("none, flows 2")]
        self.assertEqual((jitter[0]["jitter_us_p99"], jitter[-1]["share"]), ("11", "1"))
        self.assertEqual(len(self.table("runs.csv")), 38)

        text = (out / "index.html").read_text()
        page = Page(text)
        self.assertEqual(page.tags.count("svg"), 4 + 12 + 1)
        self.assertEqual([link for link in page.links if not (out / link).exists()], [])
        self.assertNotIn("script", page.tags)
        words = " ".join(page.text)
        # Under the pointer, without a script.
        self.assertIn("<title>none, flows 6: 24.35 Gbit/s (24.1 Gbit/s to 24.6 Gbit/s with 96.9 %, 6 runs)</title>", text)
        self.assertIn("<title>own core, flows 6: median 4.65 Gbit/s, quartiles 4.5 Gbit/s and 4.8 Gbit/s, 36 values</title>", text)
        self.assertIn("<title>flows 6, pinning own core: 26.75 Gbit/s (6 runs)</title>", text)
        self.assertNotIn("onmouse", text)
        self.assertIn("a probability of 96.9 % (6 runs: least to greatest).", text)
        self.assertEqual(told["pdf"], str(out / "report.pdf"))
        self.assertEqual(pages_of_pdf(out / "report.pdf"), 1 + 4 + 12 + 1)
        for words_on_page in ("25.21 against 26.77", "P2.4", "clock_stepped", "after 3.2 s", "the peer went away after 4 s", "2 of 40 planned", "No run that counts measured this",
                              "Test CPU 3000", "6.1.0-18-amd64", "mlx5_core", "interarrival jitter of the first packets", "(RFC 3550 section 6.4.1)", "wall-probe run --flows 6"):
            self.assertIn(words_on_page, words)
        self.assertNotIn("24.4 (", words.replace("24.35 (24.1 to 24.6)", ""))

    def test_axes_have_units_and_round_ticks(self):
        axes = [{"key": "burst_bytes", "label": "burst in bytes", "values": [2**power for power in range(10, 31, 2)]}]
        plots = [{"kind": "line", "title": "Logarithmic", "x": "burst_bytes", "y": "completion_us_p99", "log_x": True, "log_y": True},
                 {"kind": "line", "title": "Linear", "x": "burst_bytes", "y": "completion_us_p99"},
                 {"kind": "line", "title": "With a label", "x": "burst_bytes", "y": "completion_us_p99", "y_label": "completion, thousandths of ms"},
                 {"kind": "cdf", "title": "Distribution", "y": "completion_us_p99", "log_x": True},
                 {"kind": "table", "title": "Figures", "columns": ["completion_us_p99"]}]
        made = Directory(self.folder / "units", axes=axes, plots=plots)
        for size in axes[0]["values"]:
            for repetition in range(3):
                made.add({"burst_bytes": size}, {"completion_us_p99": 3.0 + repetition + size / 1e4}, repetition=repetition)
        self.assertEqual(report(made.folder).returncode, 0)
        out = made.folder / "report"

        def texts(name):
            return [node.firstChild.data.strip() for node in xml.dom.minidom.parse(str(out / name)).getElementsByTagName("text") if node.firstChild]

        logarithmic = texts("01-line.svg")
        self.assertLessEqual({"1 KiB", "64 KiB", "1 MiB", "1 GiB", "burst", "10 µs", "1 ms", "100 ms", "completion, 99th percentile"}, {*logarithmic})
        linear = texts("02-line.svg")
        self.assertLessEqual({"128 MiB", "512 MiB", "1 GiB", "0", "20 ms", "100 ms"}, {*linear})
        self.assertFalse({"1 KiB", "4 KiB"} & {*linear}, "labels lie over each other")
        self.assertIn("completion, thousandths of ms", texts("03-line.svg"))
        self.assertFalse([text for text in texts("03-line.svg") if text.endswith(" ms") and text != "completion, thousandths of ms"])
        self.assertIn("1 ms", texts("04-cdf.svg"))
        text = (out / "index.html").read_text()
        self.assertIn("burst: 1 KiB, 4 KiB, 16 KiB", text)
        # Of three runs, least to greatest miss the median when all lie on one side of it: 2 of 8 cases.
        self.assertIn("a probability of 75 % (3 runs: least to greatest).", text)
        self.assertIn("<title>burst 1 MiB: 108.9 µs (107.9 µs to 109.9 µs with 75 %, 3 runs)</title>", text)
        with open(out / "05-table.csv", newline="") as file:
            self.assertEqual([row["burst_bytes"] for row in csv.DictReader(file)][:2], ["1024", "4096"])

    def test_texts_of_others_run_nothing(self):
        prey = self.folder / "touched"
        evil = HOSTILE.format(prey)
        axes = [{"key": "way", "label": evil, "values": [evil, "plain"]}, {"key": evil, "label": evil, "values": [1, evil]}]
        plots = [dict(kind=kind, title=evil, x_label=evil, y_label=evil, **more) for kind, more in (
            ("line", {"x": "way", "y": evil, "by": evil}), ("bars", {"x": evil, "y": evil, "by": "way"}), ("box", {"x": "way", "y": evil, "flows": True}),
            ("map", {"x": "way", "y": evil, "z": evil}), ("time", {"y": evil}), ("cpus", {}), ("table", {"columns": [evil]}), ("cdf", {"y": evil}))]
        made = Directory(self.folder / "evil", axes=axes, plots=plots, title=evil, saw=evil, name=evil, rows=[evil], file=evil)
        for way in (evil, "plain"):
            for other in (1, evil):
                flows = [{"flow": f, "load": evil + str(f), "direction": evil, "figures": {evil: 1.0}, "intervals": [{"begin_s": 0.0, "end_s": 1.0, evil: 2.0}]} for f in (0, 1)]
                made.add({"way": way, evil: other}, {evil: 1.5}, flows=flows, command=evil, facts=FACTS | {"name": evil},
                         **({"marks": [{"host": evil, "what": evil, "note": evil}]} if (way, other) == ("plain", 1) else {}))
        result = report(made.folder, "--pdf", cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFalse(prey.exists())
        out = made.folder / "report"
        page = Page((out / "index.html").read_text())
        self.assertNotIn("script", page.tags)
        self.assertNotIn("onmouse", (out / "index.html").read_text())
        self.assertGreater(pages_of_pdf(out / "report.pdf"), 8)
        drawn = list(out.glob("*.svg"))
        self.assertGreaterEqual(len(drawn), 10)
        for file in drawn:
            root = xml.dom.minidom.parse(str(file)).documentElement
            self.assertEqual(root.getElementsByTagName("script"), [])
        label = next(t for t in xml.dom.minidom.parse(str(out / "01-line.svg")).getElementsByTagName("text") if "touch" in t.firstChild.data)
        self.assertTrue(any("`touch" in t.firstChild.data for t in label.parentNode.parentNode.getElementsByTagName("text")))
        self.assertTrue(all((out / name).exists() for name in ("figures.csv", "runs.csv")))

    def test_single_runs(self):
        folder = self.folder / "single"
        file = Directory(folder).add({}, {"gbit_per_s": 8.0}, flows=[flow(0, 4.0), flow(1, 4.0)])
        shutil.move(file, folder / "one.json")
        (folder / "runs").rmdir()
        (folder / "trace.json").write_text('{"traceEvents": []}')
        result = report(folder, "--out", self.folder / "elsewhere", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([plot["kind"] for plot in json.loads(result.stdout)["plots"]], ["time", "cpus", "table"])
        self.assertIn("8", " ".join(Page((self.folder / "elsewhere/index.html").read_text()).text))

    def test_different_machines_are_told(self):
        made = Directory(self.folder / "two", plots=[])
        made.add({}, {"gbit_per_s": 1.0})
        made.add({}, {"gbit_per_s": 2.0}, facts=FACTS | {"limits": {"kernel": "6.6.1"}})
        self.assertEqual(report(made.folder).returncode, 0)
        page = (made.folder / "report/index.html").read_text()
        self.assertIn("different machines", page)
        text = " ".join(" ".join(Page(page).text).split())
        self.assertIn("from NUMA node to 0 to 1 0 10 21 1 21 10", text)
        self.assertIn("a probability of 50 % (2 runs: least to greatest).", page)
        self.assertNotIn("95 %", page)

    def test_wrong_input(self):
        good = json.loads(Directory(self.folder / "good").add({}, {"gbit_per_s": 1.0}, flows=[flow(0, 1.0)]).read_text())
        record = Directory(self.folder / "good2", axes=[{"key": "flows", "values": [1]}]).record
        plot = {"kind": "line", "x": "flows", "y": "gbit_per_s"}
        cases = [("runs/1.json", "{", "not valid JSON"),
                 ("runs/1.json", json.dumps(good | {"schema": "lambdawall-result-9"}), "schema"),
                 ("runs/1.json", json.dumps({k: v for k, v in good.items() if k != "complete"}), "complete is missing"),
                 ("runs/1.json", json.dumps(good | {"figures": {"loss": "none"}}), "figures.loss must be a number"),
                 ("runs/1.json", json.dumps(good | {"flows": [{"flow": 0, "intervals": [{"begin_s": 1}]}]}), "flows[0].intervals[0].end_s is missing"),
                 ("runs/1.json", json.dumps(good | {"point": {"flows": []}}), "point.flows"),
                 ("experiment.json", json.dumps(record | {"plots": [plot | {"kind": "pie"}]}), "plots[0].kind"),
                 ("experiment.json", json.dumps(record | {"plots": [plot | {"x": "cores"}]}), "not an axis"),
                 ("experiment.json", json.dumps(record | {"axes": "flows"}), "axes must be a list")]
        for number, (name, text, words) in enumerate(cases):
            with self.subTest(words):
                folder = self.folder / f"wrong{number}"
                (folder / "runs").mkdir(parents=True)
                (folder / "runs/0.json").write_text(json.dumps(good))
                (folder / name).write_text(text)
                result = report(folder)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
                self.assertIn(words, result.stderr)
                self.assertIn(name, result.stderr)
        (self.folder / "empty").mkdir()
        self.assertIn("no results", report(self.folder / "empty").stderr)
        self.assertEqual(report(self.folder / "nowhere").returncode, 2)

    def test_without_gnuplot(self):
        made = Directory(self.folder / "plain")
        made.add({}, {"gbit_per_s": 1.0})
        result = report(made.folder, env=os.environ | {"PATH": str(self.folder)})
        self.assertEqual(result.returncode, 1)
        self.assertIn("apt install gnuplot-nox", result.stderr)


class Schemas(unittest.TestCase):
    """What the reader refuses, the published schemas refuse, and the other way round."""

    @classmethod
    def setUpClass(cls):
        try:
            import jsonschema
        except ImportError:
            raise unittest.SkipTest("python3-jsonschema is missing: scripts/install-deps test")
        read = lambda name: json.loads((SCHEMAS / name).read_text())
        cls.valid = {}
        for name in ("result", "experiment"):
            schema = read(f"{name}.schema.json")
            jsonschema.Draft202012Validator.check_schema(schema)
            cls.valid[name] = jsonschema.Draft202012Validator(schema)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lambdawall-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def both_say(self, name, file, document, good):
        (self.folder / "sweep" / file).write_text(json.dumps(document))
        result = report(self.folder / "sweep", "--out", self.folder / "out")
        self.assertEqual(self.valid[name].is_valid(document), good, document)
        self.assertEqual(result.returncode == 0, good, result.stderr)

    def test_a_reader_and_a_schema_agree(self):
        made = Directory(self.folder / "sweep", axes=[{"key": "flows", "label": "flows", "values": [1, "all"]}],
                         plots=[{"kind": "table", "title": "t", "columns": ["loss"]}])
        file = made.add({"flows": 1}, {"loss": 0.0}, flows=[flow(0, 1.0)], marks=[{"host": "client", "what": "w", "at_s": 1.0, "note": "n"}])
        name, result = f"runs/{file.name}", json.loads(file.read_text())
        host = result["hosts"]["client"]
        self.both_say("result", name, result, True)
        self.both_say("result", name, {k: result[k] for k in ("schema", "complete")}, True)
        for wrong in ({"schema": "else"}, {"complete": 1}, {"run": -1}, {"run": "1"}, {"point": {"flows": [1]}}, {"figures": {"loss": None}}, {"figures": []},
                      {"marks": [{"host": "client"}]}, {"flows": [{}]}, {"flows": {}}, {"flows": [{"flow": 0, "intervals": [{"begin_s": 0}]}]}, {"began": 5},
                      {"hosts": {"client": host | {"cpus": [{"cpu": 0, "user": 2}]}}}, {"hosts": {"client": host | {"facts": 1}}}, {"hosts": []}, {"duration_s": "10"}):
            with self.subTest(wrong):
                self.both_say("result", name, result | wrong, False)
        (self.folder / "sweep" / name).write_text(json.dumps(result))
        self.both_say("experiment", "experiment.json", made.record, True)
        for wrong in ({"schema": "else"}, {"name": 1}, {"rows": "P1"}, {"axes": [{"key": "a"}]}, {"axes": [{"key": "a", "values": [None]}]}, {"repetitions": -1},
                      {"plots": [{"kind": "pie"}]}, {"plots": [{"kind": "line", "y": "loss"}]}, {"plots": [{"kind": "table"}]}, {"plots": [{"kind": "map", "x": "flows", "y": "flows"}]},
                      {"plots": [{"kind": "time", "log_x": 1}]}, {"plots": [{"kind": "time", "log_y": "yes"}]}):
            with self.subTest(wrong):
                self.both_say("experiment", "experiment.json", made.record | wrong, False)


if __name__ == "__main__":
    real_time.main(verbosity=2)
