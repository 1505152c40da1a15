"""The examples, and every block of docs/python.md and of the README's section, against the programs."""

import contextlib
import importlib.util
import io
import os
import re
import unittest

import made

import lambdawall
import real_time
from results_maker import Directory, flow
from wall import Wall, program, run, stop, wait_until

EXAMPLES = made.ROOT / "python/examples"


class Examples(unittest.TestCase):
    def setUp(self):
        self.wall = Wall(2, 1, tile=(96, 60), bezel=(8, 0))
        self.server = self.wall.server()
        self.addCleanup(lambda: stop(self.server))

    def example(self, name, *options, environment={}):
        done = run("/usr/bin/python3", EXAMPLES / name, *options, env=os.environ | {"PYTHONPATH": str(made.ROOT / "python")} | environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def verify(self, name, frames):
        done = run(program("wall-ingest"), "--verify", self.wall.content / name)
        self.assertEqual(done.returncode, 0, done.stderr)
        with lambdawall.Store(self.wall.content / name) as store:
            self.assertEqual(len(store), frames)
            return [store.rgb(frame) for frame in range(frames)]

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "python3-matplotlib is missing")
    def test_matplotlib(self):
        self.example("matplotlib_waves.py", "--wall", self.wall.file, "--out", self.wall.content, "--frames", 6)
        shown = self.verify("waves", 6)
        self.assertEqual(len({frame.tobytes() for frame in shown}), 6)
        self.assertTrue((shown[0][0, 0] == 255).all(), "the margin of a figure is white")
        self.assertGreater((shown[0] != 255).any(axis=-1).mean(), 0.02)

    def test_a_simulation_is_shown_while_it_runs(self):
        self.example("simulation.py", "--wall", self.wall.file, "--out", self.wall.content, "--parts", 2, "--frames", 8, "--scale", 2, "--connect", self.wall.control)
        self.assertEqual(self.wall.call("state")["name"], "reaction-0001")
        frames = self.verify("reaction-0000", 8) + self.verify("reaction-0001", 8)
        self.assertEqual(len({frame.tobytes() for frame in frames}), 16, "the second part continues the first")
        lit = [(frame > 100).any(axis=-1).mean() for frame in frames]
        self.assertGreater(lit[-1], 2 * lit[0], "the reaction spreads")

    def test_watch(self):
        with lambdawall.StoreWriter(self.wall.content, "one", self.wall.file) as store:
            for frame in made.frames_of(self.wall.picture, 30, "rgb8"):
                store.write(frame)
        clients = [self.wall.client(node, "--headless") for node in self.wall.nodes]
        wait_until(lambda: all(node["connected"] for node in self.wall.call("stats")["nodes"]), 10, "the nodes")
        self.wall.call("load", name="one")
        printed = self.example("watch.py", "--connect", self.wall.control, "--seconds", 4)
        for flow_ in (0, 1):
            self.assertRegex(printed, rf"flow {flow_} at node-{flow_}-0: \d+ packets lost, jitter \d+ us")
        self.assertEqual([stop(client) for client in clients], [0, 0])

    def blocks(self, page):
        text = (made.ROOT / page).read_text()
        found = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
        self.assertGreater(len(found), 0)
        return [block.replace("127.0.0.1:9010", self.wall.control) for block in found]

    def run_blocks(self, page):
        here = os.getcwd()
        os.chdir(self.wall.folder)
        self.addCleanup(os.chdir, here)
        names, printed = {}, io.StringIO()
        with contextlib.redirect_stdout(printed):
            for block in self.blocks(page):
                exec(compile(block, page, "exec"), names)
        return names, printed.getvalue()

    def test_the_page(self):
        with lambdawall.StoreWriter(self.wall.content, "one", self.wall.file) as store:
            store.write(made.frames_of(self.wall.picture, 1, "rgb8")[0])
        self.wall.call("load", name="one")
        recorded = run(program("wall-control"), "--connect", self.wall.control, "--record", self.wall.folder / "session", "--seconds", "1")
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        traced = run(program("wall-probe"), "trace", "--connect", self.wall.control, "--seconds", "0.5", "--out", self.wall.folder / "trace.json")
        self.assertEqual(traced.returncode, 0, traced.stderr)
        Directory(self.wall.folder / "results", axes=[{"key": "flows", "values": [1]}]).add({"flows": 1}, {"gbit_per_s": 2.5}, [flow(0, 2.5)])
        names, printed = self.run_blocks("docs/python.md")
        self.assertIn("[2.5]", printed)
        self.assertGreater(names["tables"]["sender"]["packets"].max(), 0)
        self.assertEqual(len(self.verify("waves", 90)), 90)
        self.assertTrue((self.verify("grey", 60)[31][:60, :96] == 124).all())

    def test_the_readme(self):
        self.run_blocks("README.md")
        with lambdawall.Store(self.wall.content / "noise") as store:
            self.assertEqual(store.verify(), [])
        self.assertEqual(self.wall.call("state")["name"], "noise")


if __name__ == "__main__":
    real_time.main()
