"""`wall-probe doctor` on the host that the tests run on."""
import json
import os
import pathlib
import unittest

from wall import Wall, program, run


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

    def test_a_wall_of_other_hosts(self):
        wall = Wall(1, 1)
        wall.file.write_text(wall.file.read_text().replace('"127.0.0.1"\n', '"203.0.113.77"\n').replace('["127.0.0.1"]', '["203.0.113.78"]'))
        result = doctor("--wall", wall.file)
        self.assertEqual((result.returncode, len(result.stderr.strip().splitlines())), (1, 1))
        self.assertIn("--node NAME", result.stderr)
        report = self.report("--wall", wall.file, "--node", "node-0-0")
        self.assertEqual(self.finding(report, "203.0.113.77")["level"], "fail")

    def test_wrong_names(self):
        wall = Wall(1, 1)
        for options, words in ((["--wall", wall.file, "--node", "nobody"], "nobody"), (["--wall", wall.file, "--server", "nobody"], "'server'"),
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
    unittest.main(verbosity=2)
