"""`wall-server --plan`: of every server of a wall, and for hosts whose facts are in files."""
import copy
import json
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import Wall, program, run  # noqa: E402

# What changes from one look at a host to the next.
VOLATILE = re.compile(r'"(memory_available_bytes|free_bytes)": \d+|"[0-9.]+ [MG]iB available"')


def plan(wall, *options):
    return run(program("wall-server"), "--wall", wall.file, "--plan", *options)


class Plans(unittest.TestCase):
    def setUp(self):
        self.wall = Wall(2, 1, tile=(64, 40))

    def facts(self, *options):
        result = run(program("wall-probe"), "doctor", "--json", *options)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return json.loads(result.stdout)

    def file(self, name, facts):
        file = self.wall.folder / name
        file.write_text(facts if isinstance(facts, str) else json.dumps(facts))
        return file

    def plans(self, *options):
        result = plan(self.wall, "--json", *options)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def share(self):
        """Two servers, each with a column."""
        text = self.wall.file.read_text()
        servers = "".join(f'[[server]]\nname = "{name}"\ncontrol = "{control}"\ninterfaces = ["{address}"]\ntiles = [{{ column = {column} }}]\n'
                          for column, (name, control, address) in enumerate((("left", self.wall.control, "127.0.0.1"), ("right", "203.0.113.8:9010", "203.0.113.8"))))
        self.wall.file.write_text(re.sub(r"\[\[server\]\]\n.*?(?=\[streaming\])", servers, text, flags=re.DOTALL))

    def test_from_this_hosts_own_facts_the_plan_is_the_same(self):
        full, empty = self.wall.content, self.wall.folder / "empty"
        empty.mkdir()
        self.wall.ingest("lavfi:testsrc2=size=128x40:rate=30:duration=0.2", "bars")
        for content in ([], ["--content", full], ["--content", f"{full},{empty}"], ["--content", empty]):
            facts = self.file("facts.json", self.facts(*content))
            direct, planned = self.plans(*content), self.plans(*content, "--host", facts)
            self.assertEqual(VOLATILE.sub("", json.dumps(direct)), VOLATILE.sub("", json.dumps(planned)))
            self.assertEqual(len(direct), 1)
            self.assertEqual("visualization" in direct[0], any("content" in str(word) for word in content[1:]))
            self.assertEqual(plan(self.wall, *content).stdout.splitlines()[0], plan(self.wall, *content, "--host", facts).stdout.splitlines()[0])

    def test_every_server_with_its_own_host(self):
        self.share()
        facts = self.facts()
        there = copy.deepcopy(facts)
        there["facts"]["name"] = "there"
        there["facts"]["interfaces"] = [{"name": "eth0", "up": True, "mtu": 9000, "link_gbit_per_s": 100.0}]
        here, there = self.file("here.json", facts), self.file("there.json", there)
        left, right = self.plans("--host", here, "--host", f"right={there}")
        self.assertEqual((left["server"], right["server"]), ("left", "right"))
        self.assertEqual((left["host"]["name"], right["host"]["name"]), (facts["host"], "there"))
        self.assertEqual([[flow["flow"] for flow in plan["needs"]["flows"]] for plan in (left, right)], [[0], [1]])
        self.assertEqual(right["host"]["interfaces"][0]["addresses"], ["203.0.113.8"])
        self.assertIn("100.00 Gbit/s", [finding["have"] for finding in right["findings"]])
        self.assertEqual([plan["server"] for plan in self.plans("--server", "right", "--host", there)], ["right"])
        # The left server is on this host; the other one needs facts.
        self.assertEqual(self.plans("--host", f"right={there}")[0]["host"]["name"], facts["host"])
        result = plan(self.wall)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^wall-server: server right is on another host.*--host right=FILE.*--server NAME\n$")

    def test_mistakes_in_facts_are_named(self):
        facts = self.facts()
        del facts["facts"]["interfaces"][0]["up"]
        old = {key: value for key, value in facts.items() if key != "facts"}
        for content, words in ((facts, "facts.interfaces[0].up is missing"), (old, "facts is missing"), ("{", "not valid JSON")):
            file = self.file("facts.json", content)
            result = plan(self.wall, "--host", file)
            self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1), result.stderr)
            self.assertIn(f"{file}: ", result.stderr)
            self.assertIn(words, result.stderr)
            self.assertIn("wall-probe doctor --json", result.stderr)
        for options, status, words in ((["--host", "nobody=x.json"], 1, "no server 'nobody'"), (["--host", "/nowhere.json"], 1, "/nowhere.json"),
                                       (["--server", "nobody"], 1, "its servers are server")):
            result = plan(self.wall, *options)
            self.assertEqual(result.returncode, status)
            self.assertIn(words, result.stderr)
        good = self.file("good.json", self.facts())
        self.assertIn("more than once", plan(self.wall, "--host", good, "--host", good).stderr)
        self.assertEqual(run(program("wall-server"), "--wall", self.wall.file, "--host", good).returncode, 2)

    def test_the_memory_rate_is_measured_on_request(self):
        self.assertFalse(any("memory_bytes_per_s" in node for node in self.facts()["facts"]["topology"]["numa_nodes"]))
        facts = self.facts("--memory-rate")
        nodes = facts["facts"]["topology"]["numa_nodes"]
        self.assertTrue(nodes)
        for node in nodes:
            self.assertGreater(node["memory_bytes_per_s"], 1e8)
        what = [finding["what"] for finding in self.plans("--host", self.file("facts.json", facts))[0]["findings"]]
        self.assertIn(f"memory rate of NUMA node {nodes[0]['numa_node']}", what)


if __name__ == "__main__":
    real_time.main(verbosity=2)
