"""The pages for Prometheus of a wall that plays, by the letter of the text format and by Prometheus' naming rules; and what deploy/
has for Prometheus and Grafana asks only for figures that exist. Where promtool is installed it looks, too (LW_PROMTOOL names
one elsewhere)."""
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from exposition import get, parse  # noqa: E402
from pictures import make_source  # noqa: E402
from wall import Wall, free_tcp_port, program, run, stop, wait_until  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROMTOOL = os.environ.get("LW_PROMTOOL") or shutil.which("promtool")


def registered():
    text = (ROOT / "docs/metrics.md").read_text()  # whose tables are the registry's: metrics_doc
    return set(re.findall(r"^\|(?: `\w+` \|)? `(lambdawall_[a-z0-9_]+)` \|", text, re.M))


def family(name):
    """Of a histogram's sample; other names are those of their families."""
    return re.sub(r"_seconds_(bucket|sum|count)$", "_seconds", name)


def asked(expression):
    return {family(name) for name in re.findall(r"\blambdawall_[a-z0-9_]+", expression)}


def dashboard_expressions():
    dashboard = json.loads((ROOT / "deploy/grafana/lambdawall.json").read_text())
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
    return dashboard, panels, [target["expr"] for panel in panels for target in panel["targets"]]


def rule_expressions():
    return re.findall(r"^\s+expr: (.+)$", (ROOT / "deploy/prometheus/lambdawall-alerts.yml").read_text(), re.M)


class Pages(unittest.TestCase):
    def test_a_wall_that_plays(self):
        wall = Wall(2, 1, tile=(64, 40), flows_per_tile=2, nodes={"left": [(0, 0)], 'the "right"': [(1, 0)]})
        wall.file.write_text(wall.file.read_text().replace('"the "right""', "'the \"right\"'"))
        make_source(wall.folder / "source", wall.picture, 30)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        page = f"127.0.0.1:{free_tcp_port()}"
        clients = [wall.client("left", "--headless", "--log", "error", "--metrics", page), wall.client('the "right"', "--headless", "--log", "error")]
        server = wall.server("--play", "noise", "--log", "error")
        full = {"lambdawall_flow_flight_seconds_p50{": 4, "lambdawall_wall_skew_seconds_p99{": 1, "lambdawall_tile_wait_seconds_p99{": 2,
                **{f"lambdawall_sender_{what}_seconds_p99{{": 4 for what in ("queue", "read", "send")}}
        wait_until(lambda: all(get(wall.control)[1].count(name) == count for name, count in full.items()), 20, "all figures")
        pages = {"server": get(wall.control), "node": get(page)}
        health = get(page, "/healthz")[1]
        for process in (*clients, server):
            self.assertEqual(stop(process), 0)
        refused = run(program("wall-client"), "--wall", wall.file, "--node", "left", "--headless", "--metrics", "somewhere:9011")

        self.assertEqual(health, "ok\n")
        samples = {}
        for name, (headers, text) in pages.items():
            with self.subTest(name):
                self.assertEqual(headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
                samples[name] = parse(text)
                self.assertLessEqual({family(metric) for metric, _ in samples[name]}, registered())
                if PROMTOOL:
                    lint = run(PROMTOOL, "check", "metrics", input=text)
                    self.assertEqual(lint.returncode, 0, lint.stdout + lint.stderr)
        histograms = {name for name, _ in [*samples["node"], *samples["server"]] if family(name) != name}
        self.assertGreater(len(histograms), 3 * 8)
        of_node = {key for key in samples["node"] if key[0] != "lambdawall_build_info" and key[0] not in histograms}
        self.assertTrue(of_node)
        self.assertLessEqual(of_node, samples["server"].keys())  # the same names and labels on both
        self.assertIn(("lambdawall_node_connected", (("node", 'the \\"right\\"'),)), samples["server"])
        # All series of the alarms and the dashboard exist while a wall plays, except those that this wall cannot have.
        absent = {"lambdawall_tile_upload_seconds_p99", "lambdawall_receiver_kernel_drops_total", "lambdawall_server_clock_error_seconds", "lambdawall_site_flows", "lambdawall_site_flows_heard"}
        wanted = set().union(*map(asked, rule_expressions() + dashboard_expressions()[2])) - absent
        self.assertLessEqual(wanted, {family(metric) for page in samples.values() for metric, _ in page})

        self.assertEqual(refused.returncode, 1)
        self.assertIn("not a numeric address", refused.stderr)


class Deploy(unittest.TestCase):
    def test_rules_and_dashboard_ask_for_figures_that_exist(self):
        known = registered()
        self.assertGreater(len(known), 60)
        rules, (dashboard, panels, expressions) = rule_expressions(), dashboard_expressions()
        self.assertGreater(len(rules), 10)
        self.assertGreater(len(expressions), 30)
        for expression in rules + expressions:
            with self.subTest(expression):
                self.assertTrue(asked(expression) <= known, asked(expression) - known)
                self.assertTrue(asked(expression) or "up{" in expression)
                for counter in re.findall(r"lambdawall_[a-z0-9_]+_total", expression):  # of a total only its growth says something
                    self.assertRegex(expression, r"rate\(" + counter + r"[^)]*\[")
        for variable in dashboard["templating"]["list"]:
            self.assertLessEqual(asked(json.dumps(variable["query"])), known)
        self.assertEqual(len({panel["id"] for panel in dashboard["panels"]}), len(dashboard["panels"]))
        cells = set()
        for panel in dashboard["panels"]:
            place = panel["gridPos"]
            mine = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
            self.assertLessEqual(place["x"] + place["w"], 24)
            self.assertFalse(cells & mine, f"{panel['title']} lies over another panel")
            cells |= mine
        for panel in panels:
            self.assertTrue(panel["description"] and panel["fieldConfig"]["defaults"]["unit"], panel["title"])

    @unittest.skipUnless(PROMTOOL, "promtool is not installed")
    def test_prometheus_understands_them(self):
        deploy = ROOT / "deploy/prometheus"
        for check, file in (("rules", "lambdawall-alerts.yml"), ("config", "prometheus.yml")):
            result = run(PROMTOOL, "check", check, deploy / file, cwd=deploy)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        expressions = [e.replace("$__rate_interval", "1m").replace("$node", ".*") for e in dashboard_expressions()[2]]
        groups = {"groups": [{"name": "dashboard", "rules": [{"record": f"panel:{i}", "expr": e} for i, e in enumerate(expressions)]}]}
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:  # JSON is also YAML
            json.dump(groups, file)
            file.flush()
            result = run(PROMTOOL, "check", "rules", file.name)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    @unittest.skipUnless(PROMTOOL, "promtool is not installed")
    def test_alarms_ring_when_they_should(self):
        series = {"lambdawall_node_connected{node=\"left\"}": "1 1 0x30", "lambdawall_receiver_lost_packets_total{node=\"left\",flow=\"0\"}": "0 0 0 0+5x30",
                  "lambdawall_wall_skew_seconds_p99{wall=\"w\"}": "0.001x10 0.009x30", "lambdawall_tile_lateness_seconds_p99{node=\"left\",tile=\"0,0\"}": "0.001x40", "lambdawall_sender_packets_total{flow=\"0\"}": "0+100x40",
                  **{f"lambdawall_site_{what}{{site=\"{site}\"}}": f"{count}x40" for site, heard in (("near", 2), ("far", 1)) for what, count in (("flows", 2), ("flows_heard", heard))}}
        ringing = lambda name, labels: [{"eval_time": "30s", "alertname": name, "exp_alerts": labels}]
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(ROOT / "deploy/prometheus/lambdawall-alerts.yml", folder)
            rules = pathlib.Path(folder, "lambdawall-alerts.yml")
            rules.write_text(re.sub(r"\n        annotations:\n(          .*\n)+", "\n", rules.read_text()))  # whose words are not compared
            test = {"rule_files": ["lambdawall-alerts.yml"], "evaluation_interval": "1s",
                    "tests": [{"interval": "1s", "input_series": [{"series": s, "values": v} for s, v in series.items()],
                               "alert_rule_test": ringing("LambdawallNodeMissing", [{"exp_labels": {"severity": "critical", "node": "left"}}])
                               + ringing("LambdawallSiteSilent", [{"exp_labels": {"severity": "warning", "site": "far"}}])
                               + ringing("LambdawallLoss", [{"exp_labels": {"severity": "warning", "node": "left", "flow": "0"}}])
                               + ringing("LambdawallSkew", [{"exp_labels": {"severity": "warning", "wall": "w"}}])
                               + ringing("LambdawallLate", []) + ringing("LambdawallKernelDrops", [])}]}
            pathlib.Path(folder, "test.yml").write_text(json.dumps(test))
            result = run(PROMTOOL, "test", "rules", "test.yml", cwd=folder)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    real_time.main(verbosity=2)
