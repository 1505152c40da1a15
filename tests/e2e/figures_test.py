"""Every figure that `wall-probe run` reports, for every kind of load, has its name, unit and source in docs/schema/result.schema.json; and every figure that the schema names
is reported by some load."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import free_ports, free_tcp_port, port_open, program, start, stop, wait_until  # noqa: E402

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs/schema/result.schema.json"
# Reported where something happens that these runs do not bring about: memory for records that does not suffice, clocks of two hosts, a link of Ethernet, a network card with a clock.
RARE = {"records_left_out", "clock_drift_ppm", "card_stamped", "card_error_us", "ethernet_gbit_per_s", "sent_ethernet_gbit_per_s"}


def strict(schema):
    """The schema without room for what it does not name."""
    schema = copy.deepcopy(schema)
    for name in ("figures", "flow_figures", "interval", "counts"):
        schema["$defs"][name]["additionalProperties"] = False
    for entry in (*schema["$defs"]["interval"]["properties"].values(), *schema["$defs"]["counts"]["properties"].values()):
        entry["type"] = "number"
    return jsonschema.Draft202012Validator(schema)


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(SCHEMA.read_text())
        cls.validator = strict(cls.schema)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def measured(self, *options):
        ports = ["--base-port", free_ports(16)]  # the default ones may be those of connections
        done = subprocess.run([program("wall-probe"), "run", "--json", "-t", "0.6", "-O", "0.2", "-i", "0.3", *map(str, (*ports, *options))],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])["data"]

    def serve(self):
        where = f"127.0.0.1:{free_tcp_port()}"
        self.addCleanup(stop, start(program("wall-probe"), "serve", "--listen", where, stderr=subprocess.DEVNULL))
        wait_until(lambda: port_open(where), 10, "wall-probe serve")
        return where

    def stamped(self):
        where, port = f"127.0.0.1:{free_tcp_port()}", free_ports(2)
        self.addCleanup(stop, start(program("wall-probe"), "serve", "--listen", where, "--stamp", port, stderr=subprocess.DEVNULL))
        wait_until(lambda: port_open(where), 10, "wall-probe serve")
        done = subprocess.run([program("wall-probe"), "stamp", f"127.0.0.1:{port}", "--json", "--count", "20", "--interval-ms", "1"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["data"]

    def capacity(self):
        done = subprocess.run([program("wall-probe"), "capacity", "--port", str(free_ports(2)), "--json", "-t", "0.5", "-i", "0.25", "--max-gbit", "0.01"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["data"]

    def results(self):
        """Of each kind of load. Of several loads, the figures of the second and further ones begin with their names."""
        disk = self.folder / "disk"
        disk.mkdir()
        sink = self.folder / "sink"
        sink.mkdir()
        udp = ["-b", "20M", "-l", 1400]
        yield self.measured(*udp, "-P", 2)
        yield self.measured(*udp, "--sink", "none")
        yield self.measured(*udp, "--sink", sink)
        yield self.measured(*udp, "--records", "--results", self.folder / "results")
        yield self.measured("--tcp", "-b", "50M")
        yield self.measured("--requests", 2, "-l", 1000)
        yield self.measured("--bursts", "-P", 2, "-l", 1000, "--compute-ms", 2)
        yield self.measured("--burst-count", 3, "-P", 2, "-l", 1000)
        yield self.stamped()
        yield self.capacity()
        yield self.measured("--read", disk, "--stripe-mib", 8)
        yield self.measured(*udp, "--bidir", "--to", self.serve())
        yield self.measured(*udp, "--to", f"{self.serve()},{self.serve()}")
        run = self.folder / "run.json"
        run.write_text(json.dumps({"duration_s": 0.6, "warm_up_s": 0.2, "interval_s": 0.3, "loads": [{"gbit_per_s": 0.02}, {"name": "other", "protocol": "tcp", "gbit_per_s": 0.02}]}))
        yield self.measured("--file", run)
        run.write_text(json.dumps({"duration_s": 2, "warm_up_s": 0.2, "interval_s": 0.25, "loads": [{"gbit_per_s": 0.02}, {"name": "burst", "gbit_per_s": 0.02, "begin_s": 0.5, "for_s": 0.25}]}))
        yield self.measured("--file", run)

    @staticmethod
    def without_names_of_loads(result):
        names = [load["name"] for load in result["load"]["loads"][1:]]
        plain = copy.deepcopy(result)
        for figure in result["figures"]:
            for name in names:
                if figure.startswith(name + "_"):
                    plain["figures"][figure.removeprefix(name + "_")] = plain["figures"].pop(figure)
        return plain

    def test_every_figure_of_every_load_is_in_the_schema_and_the_other_way_round(self):
        seen, kinds = set(), 0
        for result in self.results():
            kinds += 1
            with self.subTest(result["load"]):
                self.validator.validate(self.without_names_of_loads(result))
                jsonschema.Draft202012Validator(self.schema).validate(result)
            seen |= set(self.without_names_of_loads(result)["figures"])
            for flow in result["flows"]:
                seen |= set(flow["figures"])
        self.assertEqual(kinds, 15)
        self.assertEqual(set(self.schema["$defs"]["figures"]["properties"]) - seen, RARE)

    def test_a_figure_without_a_name_in_the_schema_is_found(self):
        result = self.measured("-b", "20M")
        self.assertTrue(self.validator.is_valid(result))
        for of in (lambda result: result["figures"], lambda result: result["flows"][0]["figures"], lambda result: result["flows"][0]["intervals"][0], lambda result: result["flows"][0]["receiver"]["ever"]):
            changed = copy.deepcopy(result)
            of(changed)["furlongs"] = 1.0
            self.assertFalse(self.validator.is_valid(changed))

    def test_every_figure_has_a_unit_and_a_description(self):
        for of in ("figures", "flow_figures", "interval", "counts"):
            for name, entry in self.schema["$defs"][of]["properties"].items():
                self.assertTrue(entry.get("unit"), name)
                self.assertTrue(entry.get("description") or name in ("begin_s", "end_s"), name)


if __name__ == "__main__":
    real_time.main(verbosity=2)
