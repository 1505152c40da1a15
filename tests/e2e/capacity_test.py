"""`wall-probe capacity` (RFC 9097): finds the rate limit of a relay in either direction, and what it reports adds up."""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import free_ports, free_tcp_port, port_open, program, run, start, stop, wait_until  # noqa: E402

PAYLOAD = 1222  # bytes of UDP in each packet, and with the headers of UDP and IPv4:
PACKET = 1250


class Capacity(unittest.TestCase):
    def setUp(self):
        self.port = free_ports(4)

    def serve(self, *options):
        where = f"127.0.0.1:{free_tcp_port()}"
        self.addCleanup(stop, start(program("wall-probe"), "serve", "--listen", where, *options, stderr=subprocess.DEVNULL))
        wait_until(lambda: port_open(where), 10, "wall-probe serve")
        return where

    def relay(self, *options):
        relay = start(program("wall-probe"), "impair", "--listen", f"127.0.0.1:{self.port + 1}", "--to", f"127.0.0.1:{self.port}", "--json", *options, stdout=subprocess.PIPE, text=True)
        self.addCleanup(relay.stdout.close)
        self.addCleanup(stop, relay)
        self.assertIn("forward", relay.stdout.readline())  # it runs
        return relay

    def measured(self, *options):
        done = run(program("wall-probe"), "capacity", "--json", "--port", self.port, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["data"]

    def refused(self, *options, says, status=1):
        done = run(program("wall-probe"), "capacity", "--port", self.port, *options)
        self.assertEqual(done.returncode, status, done.stdout)
        self.assertIn(says, done.stderr)

    def check_identities(self, result):
        figures, intervals = result["figures"], result["flows"][0]["intervals"]
        spec = result["load"]["loads"][0]
        self.assertTrue(result["complete"])
        self.assertEqual(len(intervals), round(spec["duration_s"] / spec["interval_s"]))
        for interval in intervals:
            self.assertAlmostEqual(interval["ip_gbit_per_s"], interval["packets"] * PACKET * 8e-9 / spec["interval_s"], places=9)
            self.assertAlmostEqual(interval["gbit_per_s"] * PACKET, interval["ip_gbit_per_s"] * PAYLOAD, places=6)
            sent = interval["sent_ip_gbit_per_s"] * spec["interval_s"] / PACKET / 8e-9
            self.assertAlmostEqual(max(sent - interval["packets"], 0), interval["lost"], places=3)
        best = max(intervals, key=lambda interval: interval["packets"])
        self.assertEqual(figures["ip_capacity_gbit_per_s"], best["ip_gbit_per_s"])
        self.assertEqual(figures["ip_capacity_at_s"], best["begin_s"])
        self.assertLessEqual(sum(interval["packets"] for interval in intervals), figures["packets"] + figures["duplicates"])
        self.assertEqual(figures["strange"], 0)
        return figures

    def test_a_limit_of_the_path_is_found(self):
        """Within 5 %: the search moves by 1 Mbit/s, which is 5 % of 20, and the relay is a program on a shared host."""
        where = self.serve()
        for direction, options in (("forward", []), ("reverse", ["--reverse"])):
            with self.subTest(direction):
                relay = self.relay("--rate-gbit", 0.02, "--queue-ms", 60, "--delay-ms", 5, "--both")
                result = self.measured("--to", where, "--via", f"127.0.0.1:{self.port + 1}", "-t", 5, *options)
                relay.send_signal(signal.SIGINT)
                relay.communicate(timeout=10)
                figures = self.check_identities(result)
                self.assertEqual(result["flows"][0]["direction"], direction)
                self.assertNotIn("not_congested", [mark["what"] for mark in result["marks"]])
                limit = 0.02 * PACKET / PAYLOAD
                self.assertGreater(figures["ip_capacity_gbit_per_s"], 0.95 * limit)
                self.assertLess(figures["ip_capacity_gbit_per_s"], 1.05 * limit)
                self.assertGreater(figures["ip_capacity_rtt_us_min"], 5000)

    def test_on_loopback_the_figures_add_up(self):
        result = self.measured("-t", 1, "-i", 0.25, "--max-gbit", 0.01)
        figures = self.check_identities(result)
        # The mark names the limit: only the table.
        self.assertIn("not_congested", [mark["what"] for mark in result["marks"]])
        self.assertLess(figures["ip_capacity_offered_gbit_per_s"], 0.0101)
        text = run(program("wall-probe"), "capacity", "--port", self.port, "-t", 0.5, "-i", 0.25, "--max-gbit", 0.01)
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertRegex(text.stdout, r"maximum IP-layer capacity [\d.]+ Mbit/s \(at [\d.]+ s\), loss 0,")
        self.assertIn("MARKED: the path was never congested", text.stdout)

    def test_results_have_the_form_of_other_results(self):
        files = []
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a", "b"):
                results = pathlib.Path(folder) / name
                done = run(program("wall-probe"), "capacity", "--port", self.port, "-t", 0.5, "-i", 0.25, "--max-gbit", 0.01, "--results", results)
                self.assertEqual(done.returncode, 0, done.stderr)
                files.append(results / "runs/capacity.json")
            schema = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/schema/result.schema.json").read_text())["$defs"]
            result = json.loads(files[0].read_text())
            self.assertEqual(set(result["figures"]) - set(schema["figures"]["properties"]), set())
            self.assertEqual(set(result["flows"][0]["figures"]) - set(schema["flow_figures"]["properties"]), set())
            self.assertEqual(set(result["flows"][0]["intervals"][0]) - set(schema["interval"]["properties"]), set())
            # The table ended these searches, and not the path: they are marked, and count in no comparison.
            compared = run(program("wall-probe"), "compare", *files)
            self.assertEqual(compared.returncode, 1)
            self.assertIn("of runs that count", compared.stderr)

    def test_a_host_sends_no_more_than_its_limit(self):
        result = self.measured("--to", self.serve("--max-gbit-per-s", 0.003), "--reverse", "-t", 0.5, "-i", 0.25)
        self.assertEqual(result["load"]["loads"][0]["gbit_per_s_max"], 0.003)
        self.assertLess(result["figures"]["ip_capacity_offered_gbit_per_s"], 0.0031)

    def test_what_cannot_be_measured_is_explained(self):
        self.refused("-t", 2.5, says="are not 1 to 3600 sub-intervals of 1 s; choose a duration that is a multiple")
        self.refused("--via", "here", says="--via here is not an address with a port")
        self.refused("--to", f"127.0.0.1:{free_tcp_port()}", says="wall-probe serve")
        # A relay that passes nothing on.
        self.relay("--loss-percent", 100)
        self.refused("--to", self.serve(), "--via", f"127.0.0.1:{self.port + 1}", "-t", 1, says=f"let UDP port {self.port} of the server through the firewalls")


if __name__ == "__main__":
    real_time.main(verbosity=2)
