"""Files that an earlier build made are read and played by this one, and the names that others rely on are still there.

README.md describes how each file was made. They are never made again: a change that breaks one of them breaks somebody's wall.
"""
import contextlib
import json
import re
import shutil
import subprocess
import unittest

import numpy as np

from as_then import ACTIONS, HERE, OF_TIME, wall_of_stores
import real_time
from exposition import family_of, get, parse
from pictures import shown_lines
from wall import Control, free_tcp_port, program, run, stop, wait_until


def expected(name):
    return json.loads((HERE / name).read_text())


def picked(entry, keys):
    return {key: entry[key] for key in keys if key in entry}


class Stores(unittest.TestCase):
    def pixels(self, wall, file):
        """With 16 bits per channel, whatever the file has."""
        raw = wall.folder / "raw"
        result = run("convert", file, "-depth", "16", f"rgb:{raw}")
        self.assertEqual(result.returncode, 0, result.stderr)
        return np.fromfile(raw, dtype="<u2")

    def test_all_play_with_the_pixels_of_their_time(self):
        for folder in sorted((HERE / "shown").iterdir()):
            with self.subTest(folder.name):
                wall = wall_of_stores()
                dump = wall.folder / "dump"
                server = wall.server("--play", folder.name, "--log", "error")
                client = wall.client("both", "--headless", "--log", "error", "--dump", dump)
                wanted = sorted(file.relative_to(folder) for file in folder.glob("tile-*/*.png"))
                self.assertEqual(len(wanted), 6)
                wait_until(lambda: all((dump / file).exists() for file in wanted), 20, "all frames on all tiles")
                self.assertEqual((stop(client), stop(server)), (0, 0))
                self.assertTrue(all(line["whole"] for line in shown_lines(dump)))
                for file in wanted:
                    np.testing.assert_array_equal(self.pixels(wall, dump / file), self.pixels(wall, folder / file), f"{folder.name} {file}")

    def test_the_library_lists_them_as_then(self):
        wall = wall_of_stores()
        server = wall.server("--log", "error")
        answer = wall.call("list")
        self.assertEqual(stop(server), 0)
        self.assertEqual(answer["rejected"], [])
        listed = {entry["name"]: entry for entry in answer["visualizations"]}
        for entry in expected("library.json"):
            with self.subTest(entry["name"]):
                self.assertEqual(entry, picked(listed[entry["name"]], entry))

    def test_their_checksums_hold(self):
        for folder in sorted((HERE / "stores").iterdir()):
            if (folder / "checksums.npy").exists():
                with self.subTest(folder.name):
                    result = run(program("wall-ingest"), "--verify", folder)
                    self.assertEqual(result.returncode, 0, result.stderr)


# Of a plan, what the wall file alone decides: no choice of cores and buffers, which a build may make otherwise.
OF_WIRE = ("pixel_format", "frame_rate", "send_window_ms", "pixels_per_frame", "read_bytes_per_s", "pixels_gbit_per_s", "wire_gbit_per_s", "packets_per_s")
OF_FLOWS = ("flow", "tile", "node", "packets_per_frame", "datagram_bytes", "interface", "peak_gbit_per_s", "pixels_gbit_per_s", "wire_gbit_per_s", "packets_per_s")
OF_NODES = ("node", "address", "tiles", "flows", "pixels_gbit_per_s", "wire_gbit_per_s", "packets_per_s")


class WallFiles(unittest.TestCase):
    def planned(self, file):
        result = run(program("wall-server"), "--wall", file, "--plan", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        plan, = json.loads(result.stdout)
        needs = plan["needs"]
        return {"wall": plan["wall"], **picked(needs, OF_WIRE), "tiles": needs["tiles"], "interfaces": needs["interfaces"],
                "flows": [picked(flow, OF_FLOWS) for flow in needs["flows"]], "nodes": [picked(node, OF_NODES) for node in needs["nodes"]]}

    def test_all_are_planned_with_the_figures_of_their_time(self):
        for file in sorted((HERE / "walls").glob("*.toml")):
            with self.subTest(file.name):
                self.assertEqual(self.planned(file), expected(f"walls/{file.stem}.json"))


KINDS = {bool: "flag", int: "number", float: "number", str: "text", type(None): "null"}


def fields(value, path=""):
    """Every member and what it is, as "stats.nodes[].report.flows[].lost: number"."""
    if isinstance(value, dict):
        return {f"{path}: object"}.union(*(fields(inner, f"{path}.{name}") for name, inner in value.items()))
    if isinstance(value, list):
        return {f"{path}: list"}.union(*(fields(inner, f"{path}[]") for inner in value))
    return {f"{path}: {KINDS[type(value)]}"}


def families(page):
    """Every metric with its kind and labels, as "counter lambdawall_x_total{flow,node}"."""
    _, text = page
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M))
    kind = lambda name: kinds[family_of(name, kinds)]
    return {f"{kind(name)} {name}{{{','.join(sorted(label for label, _ in labels))}}}" for name, labels in parse(text)}


IN_STEP = {"fec": "10+2", "sections": '[clock]\nsource = "wall"\n[sync]\nmode = "wall"\n'}


class Names(unittest.TestCase):
    """Repeats the messages until everything has arrived that once did, since some parts take a while."""

    def playing(self, name, **streaming):
        wall = wall_of_stores(nodes={"left": [(0, 0)], "right": [(1, 0)]}, flows_per_tile=2, **streaming)
        page = f"127.0.0.1:{free_tcp_port()}"
        server = wall.server("--log", "error")
        clients = [wall.client("left", "--headless", "--log", "error", "--metrics", page), wall.client("right", "--headless", "--log", "error")]
        wait_until(lambda: all(node["connected"] for node in wall.call("stats")["nodes"]), 20, "both nodes")
        answers = set().union(*(fields(wall.call(method, **params), method) for method, params in ACTIONS))
        pages = {"server": set(), "node": set()}

        def listen():
            for method in ("stats", "state", "trace", "machines", "placement", "subscribe"):
                answers.update(fields(wall.call(method), method))
            pages["server"] |= families(get(wall.control))
            pages["node"] |= families(get(page))
            return self.all_there(expected(name), answers, pages)
        with contextlib.suppress(AssertionError):
            wait_until(listen, 20, "all that there was")
        for process in (*clients, server):
            self.assertEqual(stop(process), 0)
        return {"answers": sorted(answers), **{side: sorted(names) for side, names in pages.items()}}

    def all_there(self, wanted, answers, pages):
        return answers.issuperset(wanted["answers"]) and all(pages[side].issuperset(wanted[side]) for side in pages)

    def compare(self, name, **streaming):
        told = self.playing(name, **streaming)
        for what, wanted in expected(name).items():
            self.assertEqual(set(wanted) - set(told[what]), set(), f"{what} of the wall of {name}")

    def test_a_wall_by_default(self):
        self.compare("names.json")

    def test_a_wall_in_step_by_the_servers_clock_with_parity(self):
        self.compare("names-in-step.json", **IN_STEP)


class Captures(unittest.TestCase):
    # Had wrong definitions and was replaced by st2110_21, whose figures st2110-21.json has (CHANGELOG.md).
    REPLACED = {"spacing"}

    def compare(self, wanted, got, path):
        """Every recorded figure is still there and the same; more may be reported."""
        self.assertEqual(KINDS.get(type(got), type(got)), KINDS.get(type(wanted), type(wanted)), path)
        if isinstance(wanted, dict):
            for name, inner in wanted.items():
                if name in self.REPLACED:
                    self.assertNotIn(name, got, path)
                    continue
                self.assertIn(name, got, path)
                self.compare(inner, got[name], f"{path}.{name}")
        elif isinstance(wanted, list):
            self.assertEqual(len(got), len(wanted), path)
            for number, inner in enumerate(wanted):
                self.compare(inner, got[number], f"{path}[{number}]")
        elif isinstance(wanted, float):
            self.assertAlmostEqual(got, wanted, delta=1e-6 * abs(wanted), msg=path)
        else:
            self.assertEqual(got, wanted, path)

    def test_each_has_the_figures_of_its_time(self):
        for capture in sorted(HERE.glob("flow-*.pcap")):
            with self.subTest(capture.name):
                result = run(program("wall-probe"), "analyze", capture, "--json")
                self.assertEqual(result.returncode, 0, result.stderr)
                figures = json.loads(result.stdout)
                self.compare(expected(f"{capture.stem}.json"), figures, capture.stem)
                self.compare(expected("st2110-21.json")[capture.stem], [stream.get("st2110_21", {}) for stream in figures["streams"]], capture.stem)


class Options(unittest.TestCase):
    """Scripts that start a program as they did then are not refused."""
    NEVER_WAS = "--never-was"

    def refused(self, command, *words):
        """The first option that the program does not know. The last one ends it before it does anything else; the one before may be taken for the value
        of an option."""
        result = run(program(command[0]), *command[1:], *words, self.NEVER_WAS, self.NEVER_WAS, timeout=20)
        found = re.search(r"unknown option (\S+);", result.stderr)
        return found and found.group(1)

    def test_each_of_then_is_accepted(self):
        for name, then in expected("program-options.json").items():
            command = name.split()
            with self.subTest(name):
                self.assertEqual(self.refused(command, *then["given"], "--nor-this"), "--nor-this")
            for option in then["options"]:
                with self.subTest(f"{name} {option}"):
                    self.assertNotEqual(self.refused(command, *then["given"], option), option)


class Conversation(unittest.TestCase):
    """What a node and an operator said then is understood, and answered with the members of then."""

    def setUp(self):
        self.lines = [json.loads(line) for line in (HERE / "conversation.ndjson").read_text().splitlines()]

    def ask(self, control, message):
        control.send(json.dumps(message))
        while (answer := control.receive()).get("id") != message["id"]:
            pass
        return answer

    def test_a_server_understands_both(self):
        wall = wall_of_stores()
        server = wall.server("--play", "rgb8", stderr=subprocess.DEVNULL)  # the node's ports are others: an error event
        with contextlib.closing(Control(wall.control)) as node, contextlib.closing(Control(wall.control)) as operator:
            reported = None
            for line in self.lines:
                message = line["message"]
                if line["from"] == "node" and "id" in message:
                    self.assertIn("result", self.ask(node, message), message["method"])
                elif line["from"] == "node":
                    node.send(json.dumps(message))
                    reported = message["params"] if message["method"] == "node.report" else reported
            wait_until(lambda: wall.call("stats")["nodes"][0].get("report", {}).get("time") == reported["time"], 10, "the node's newest report")
            known = {flow["flow"]: flow for flow in wall.call("stats")["nodes"][0]["report"]["flows"]}
            for flow in reported["flows"]:
                self.assertEqual(picked(known[flow["flow"]], ("packets", "used", "lost", "bytes")), picked(flow, ("packets", "used", "lost", "bytes")))
            for line in self.lines:
                if line["from"] != "operator":
                    continue
                message, then = line["message"], line["answer"]
                with self.subTest(message["method"], params=message["params"]):
                    now = self.ask(operator, message)
                    self.assertEqual(now.get("error", {}).get("code"), then.get("error", {}).get("code"), now)
                    if message["method"] not in OF_TIME:
                        self.assertEqual(fields(then) - fields(now), set())
        self.assertEqual(stop(server), 0)


class Resume(unittest.TestCase):
    def test_a_server_goes_on_where_one_of_then_ended(self):
        wall = wall_of_stores()
        state = wall.folder / "state"
        state.mkdir(mode=0o700)
        shutil.copy(HERE / "resume.json", state)
        (state / "resume.json").chmod(0o600)
        server = wall.server("--resume", "--state", state, "--log", "error")
        client = wall.client("both", "--headless", "--log", "error")
        shown = lambda: {tile.get("frame") for node in wall.call("stats")["nodes"] for tile in node.get("report", {}).get("tiles", [])}
        wait_until(lambda: shown() == {1}, 20, "its frame on the tiles")
        told = wall.call("state")
        self.assertEqual((stop(client), stop(server)), (0, 0))
        kept = expected("resume.json")
        self.assertEqual(told["status"], "paused")
        self.assertEqual(picked(told, ("name", "frame", "rate", "loop", "in", "out", "repeat")), picked(kept, ("name", "frame", "rate", "loop", "in", "out", "repeat")))
        self.assertEqual([picked(entry, wanted) for entry, wanted in zip(told["playlist"], kept["playlist"], strict=True)], kept["playlist"])


if __name__ == "__main__":
    real_time.main(verbosity=2)
