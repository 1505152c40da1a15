"""`wall-probe doctor` on the host that the tests run on."""
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from hosts import Host  # noqa: E402
from wall import Control, Wall, port_open, program, run, start, stop, wait_until  # noqa: E402


def doctor(*options, before=()):
    return run(*before, program("wall-probe"), "doctor", *options)


class Doctor(unittest.TestCase):
    def report(self, *options):
        result = doctor("--json", *options)
        report = json.loads(result.stdout)
        levels = [finding["level"] for finding in report["findings"]]
        self.assertEqual(report["level"], next(level for level in ("fail", "warn", "ok") if level in levels))
        self.assertEqual(result.returncode, 1 if "fail" in levels else 0)
        for finding in report["findings"]:
            self.assertEqual("mend" in finding, finding["level"] != "ok", finding)
        return report

    def finding(self, report, words):
        found = [finding for finding in report["findings"] if words in finding["what"]]
        self.assertTrue(found, f"no finding of {words}")
        return found[0]

    def test_any_wall(self):
        report = self.report()
        self.assertNotIn("wall", report)
        have = int(pathlib.Path("/proc/sys/net/core/rmem_max").read_text())
        finding = self.finding(report, "rmem_max")
        self.assertEqual(int(finding["have"]), have)
        self.assertEqual(finding["level"], "ok" if have >= int(finding["needed"]) else "warn")

    def test_a_wall_on_this_host(self):
        wall = Wall(2, 1, tile=(640, 400))
        report = self.report("--wall", wall.file, "--content", wall.content)
        self.assertTrue(report["server"])
        self.assertEqual(report["nodes"], ["node-0-0", "node-1-0"])
        self.assertEqual(self.finding(report, "MTU")["level"], "ok")
        self.assertEqual(self.finding(report, f"content {wall.content}")["level"], "ok")
        text = doctor("--wall", wall.file).stdout
        self.assertIn("net.core.rmem_max", text)

    def test_a_playout_delay_that_is_too_short_for_the_frame_rate(self):
        wall = Wall(1, 1, tile=(320, 200), rate="5", playout_delay_ms=80)
        finding = self.finding(self.report("--wall", wall.file), "playout delay")
        self.assertEqual(finding["level"], "warn")
        self.assertIn("playout_delay_ms = 190 or more", finding["mend"])

    def test_a_wall_of_other_hosts(self):
        wall = Wall(1, 1)
        wall.file.write_text(wall.file.read_text().replace('"127.0.0.1"\n', '"203.0.113.77"\n').replace('["127.0.0.1"]', '["203.0.113.78"]'))
        result = doctor("--wall", wall.file)
        self.assertEqual((result.returncode, len(result.stderr.strip().splitlines())), (1, 1))
        self.assertIn("--node NAME", result.stderr)
        report = self.report("--wall", wall.file, "--node", "node-0-0")
        self.assertEqual(self.finding(report, "203.0.113.77")["level"], "fail")

    def test_all_hosts_of_a_wall(self):
        """Three hosts: this one, one in a network namespace that answers, and one that is missing."""
        try:
            host = Host(9)
        except (OSError, AssertionError) as error:
            self.skipTest(f"this host lets us make no network namespaces: {error}")
        self.addCleanup(stop, host.holder)
        wall = Wall(3, 1, tile=(640, 400))
        toml = wall.file.read_text()
        for node, address in (("node-1-0", host.address), ("node-2-0", host.address[:-1] + "3")):
            toml = re.sub(rf'(name = "{node}"\s+address = )"127.0.0.1"', rf'\1"{address}"', toml)
        wall.file.write_text(toml)
        where = f"{host.address}:9020"
        server = start(*host.inside, program("wall-probe"), "serve", "--listen", where, "--allow", "10.0.0.0/8", stderr=subprocess.DEVNULL)
        self.addCleanup(stop, server)
        wait_until(lambda: port_open(where), 10, "wall-probe serve")
        result = doctor("--wall", wall.file, "--all", "--json")
        text = doctor("--wall", wall.file, "--all").stdout
        with self.assertRaisesRegex(RuntimeError, "the wall file"):
            with contextlib.closing(Control(where)) as probe:
                probe.call("doctor", wall="nonsense", server=False, nodes=[])
        self.assertEqual(result.returncode, 1, result.stderr)
        report = json.loads(result.stdout)
        here, asked, silent = report["hosts"]
        self.assertEqual((here["server"], here["nodes"]), (True, ["node-0-0"]))
        self.assertEqual((asked["address"], asked["nodes"], asked["host"]), (host.address, ["node-1-0"], here["host"]))
        self.assertTrue(any(host.address in finding["what"] for finding in asked["findings"]), asked["findings"])
        self.assertEqual([(finding["level"], finding["what"]) for finding in silent["findings"]], [("fail", "wall-probe serve")])
        self.assertEqual((silent["host"], report["level"]), ("", "fail"))
        self.assertIn(f"{host.address} ({here['host']}): node-1-0", text)
        self.assertIn("start wall-probe serve there", text)
        for options in (["--all"], ["--all", "--wall", wall.file, "--node", "node-0-0"]):
            self.assertEqual(doctor(*options).returncode, 2)

    def test_wrong_names(self):
        wall = Wall(1, 1)
        for options, words in ((["--wall", wall.file, "--node", "nobody"], "nobody"), (["--wall", wall.file, "--server", "nobody"], "its servers are server"),
                               (["--node", "x"], "--wall"), (["--wall", "/nowhere.toml"], "/nowhere.toml")):
            result = doctor(*options)
            self.assertEqual(result.returncode, 1)
            self.assertIn(words, result.stderr)
        self.assertEqual(doctor("--undo", "x").returncode, 2)

    def test_applying_needs_root(self):
        wall = Wall(1, 1, tile=(16384, 16384), rate="240")  # such flows want more buffer than any kernel gives by itself
        report = self.report("--wall", wall.file)
        self.assertEqual(self.finding(report, "rmem_max")["mend"][:10], "sysctl -w ")
        as_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        os.chmod(wall.folder, 0o755)
        result = doctor("--wall", wall.file, "--apply", "--undo", wall.folder / "undo.sh", before=as_user)
        self.assertEqual(result.returncode, 1)
        self.assertIn("root", result.stderr)
        self.assertFalse((wall.folder / "undo.sh").exists())


if __name__ == "__main__":
    real_time.main(verbosity=2)
