"""`wall-probe stamp` and `serve --stamp` through relays with known faults, between addresses that may and may not measure."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import free_ports, free_tcp_port, port_open, program, run, start, stop, wait_until  # noqa: E402

NAMESPACE = f"lw-stamp-{os.getpid()}"


class Stamp(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.port = free_ports(4)

    def serve(self, *options):
        where = f"127.0.0.1:{free_tcp_port()}"
        server = start(program("wall-probe"), "serve", "--listen", where, "--stamp", self.port, *options, stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.stderr.close)
        self.addCleanup(stop, server)
        wait_until(lambda: port_open(where), 10, "wall-probe serve")
        return server

    def relay(self, *options):
        relay = start(program("wall-probe"), "impair", "--listen", f"127.0.0.1:{self.port + 1}", "--to", f"127.0.0.1:{self.port}", "--json", *options, stdout=subprocess.PIPE, text=True)
        self.addCleanup(relay.stdout.close)
        self.addCleanup(stop, relay)
        self.assertIn("forward", relay.stdout.readline())  # it runs
        return relay

    def sent(self, port, *options):
        done = run(program("wall-probe"), "stamp", f"127.0.0.1:{port}", "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["data"]

    def refused(self, *options, says):
        done = run(program("wall-probe"), "stamp", *options)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(says, done.stderr)

    def counted(self, relay):
        """What the relay says at its end."""
        relay.send_signal(signal.SIGINT)
        return json.loads(relay.communicate(timeout=10)[0].splitlines()[-1])

    def test_losses_are_found_in_their_direction(self):
        self.serve()
        relay = self.relay("--loss-percent", 20, "--seed", 3)
        result = self.sent(self.port + 1, "--count", 1000, "--interval-ms", 1, "--wait-ms", 1000)
        lost, figures = self.counted(relay)["forward"]["lost"], result["figures"]
        self.assertGreater(lost, 100)
        self.assertEqual(figures["lost"], lost)
        self.assertEqual(figures["reverse_lost"], 0)
        # The relay may have lost the last packets, of which nobody knows where they are.
        self.assertEqual(figures["forward_lost"] + figures["undetermined_lost"], lost)
        self.assertLess(figures["undetermined_lost"], 15)
        self.assertEqual((result["reflector"]["stateful"], result["one_clock"], result["receive_stamps"]), (True, True, "kernel"))
        both = self.relay("--loss-percent", 10, "--both", "--seed", 4)
        figures = self.sent(self.port + 1, "--count", 1000, "--interval-ms", 1, "--wait-ms", 1000)["figures"]
        counts = self.counted(both)
        self.assertEqual(figures["lost"], counts["forward"]["lost"] + counts["backward"]["lost"])
        self.assertLessEqual(abs(figures["forward_lost"] - counts["forward"]["lost"]) + abs(figures["reverse_lost"] - counts["backward"]["lost"]), figures["undetermined_lost"])

    def test_a_stateless_reflector_leaves_directions_unknown(self):
        self.serve("--stamp-stateless")
        self.relay("--loss-percent", 20)
        result = self.sent(self.port + 1, "--count", 100, "--interval-ms", 1, "--wait-ms", 500)
        self.assertGreater(result["figures"]["lost"], 0)
        for name in ("forward_lost", "reverse_lost", "undetermined_lost"):
            self.assertNotIn(name, result["figures"])
        self.assertNotIn("stateful", result["reflector"])

    def test_a_delay_is_found_in_its_direction(self):
        self.serve()
        self.relay("--delay-ms", 20)
        figures = self.sent(self.port + 1, "--count", 300, "--interval-ms", 2, "--wait-ms", 500)["figures"]
        self.assertEqual(figures["lost"], 0)
        self.assertGreater(figures["forward_delay_us_min"], 20_000)
        self.assertLess(figures["forward_delay_us_p50"], 30_000)
        self.assertLess(figures["reverse_delay_us_p50"], 10_000)
        self.assertAlmostEqual(figures["rtt_us_min"], figures["forward_delay_us_min"] + figures["reverse_delay_us_min"], delta=5000)
        self.assertEqual(figures["clock_error_us"], 0)

    def test_changed_classes_and_congestion_are_found_in_their_direction(self):
        self.serve()
        for relayed, forward, reverse in ((["--set-dscp", 46], (0, 0), (20, 0)), (["--set-dscp", 10, "--set-ecn", 3], (20, 20), (20, 0)),
                                          (["--set-dscp", 46, "--set-ecn", 3, "--both"], (0, 20), (0, 20)), (["--set-ecn", 2], (20, 0), (20, 0))):
            with self.subTest(relayed):
                relay = self.relay(*relayed)
                figures = self.sent(self.port + 1, "--count", 20, "--interval-ms", 1, "--wait-ms", 3000, "--dscp", 46, "--ecn", 2)["figures"]
                stop(relay)
                for direction, expected in (("forward", forward), ("reverse", reverse)):
                    self.assertEqual((figures[f"{direction}_dscp_changed"], figures[f"{direction}_ecn_ce"]), expected)

    def test_both_sides_need_the_same_key(self):
        key, other = self.folder / "key", self.folder / "other"
        key.write_text("ab" * 32 + "\n")
        other.write_text("ac" * 32 + "\n")
        server = self.serve("--stamp-key", key)
        options = ("--count", 5, "--interval-ms", 2, "--wait-ms", 300)
        for timing in ([], ["--ptp"]):
            figures = self.sent(self.port, *options, "--key", key, "--bytes", 400, *timing)["figures"]
            self.assertEqual((figures["lost"], figures["integrity_failed"], figures["strange"]), (0, 0, 0))
        self.refused(f"127.0.0.1:{self.port}", *options, "--key", other, says="its mode and key must be the same")
        self.refused(f"127.0.0.1:{self.port}", *options, says="no reply")
        stop(server)
        self.assertIn("STAMP: answered 10; not answered: 0 from addresses that are not allowed, 5 too short, 5 not authentic", server.stderr.read())
        self.refused(f"127.0.0.1:{self.port}", *options, says="nothing listens there")

    def test_wrong_options_are_explained(self):
        (self.folder / "short").write_text("abcd\n")
        for options, says in ((["host"], "host is not an address; write a numeric one"), (["::1", "--bytes", 78], "these packets have 76 bytes, or at least 80"),
                              (["::1", "--key", self.folder / "short"], "has no STAMP key; write one line of at least 32 hex digits")):
            self.refused(*options, says=says)
        done = run(program("wall-probe"), "serve", "--stamp", "0x1")
        self.assertIn("--stamp 0x1 is not a port", done.stderr)

    def test_results_have_the_form_of_other_results(self):
        self.serve()
        files = []
        for name in ("a", "b"):
            files.append(self.folder / f"{name}.json")
            files[-1].write_text(json.dumps(self.sent(self.port, "--count", 5, "--interval-ms", 1)))
        schema = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/schema/result.schema.json").read_text())["$defs"]
        result = json.loads(files[0].read_text())
        self.assertEqual(set(result["figures"]) - set(schema["figures"]["properties"]), set())
        self.assertEqual({name for flow in result["flows"] for name in flow["figures"]} - set(schema["flow_figures"]["properties"]), set())
        compared = run(program("wall-probe"), "compare", *files)
        self.assertEqual(compared.returncode, 0, compared.stderr)
        self.assertIn("rtt_us_p50", compared.stdout)
        text = run(program("wall-probe"), "stamp", f"127.0.0.1:{self.port}", "--count", 5, "--interval-ms", 1).stdout
        self.assertRegex(text, r"5 packets, lost 0 \(0\), duplicates 0\nround trip [\d.]+ us \(median\)")

    def test_other_hosts_are_answered_where_they_are_allowed(self):
        if os.geteuid() != 0 or run("ip", "netns", "add", NAMESPACE).returncode != 0:
            self.skipTest("network namespaces need root")
        self.addCleanup(run, "ip", "netns", "del", NAMESPACE)
        inside = ["ip", "netns", "exec", NAMESPACE]
        run(*inside, "ip", "link", "set", "lo", "up")
        for host in (1, 2, 3):
            run(*inside, "ip", "addr", "add", f"10.99.0.{host}/32", "dev", "lo")
        # Both hosts' clocks are kept, to 100 us.
        kept = {**os.environ, "LD_PRELOAD": os.environ["LW_FAKE_PHC"], "FAKE_PHC": "0 37 100"}
        for allow, answered in (([], False), (["--allow", "10.99.0.1"], True)):
            server = start(*inside, program("wall-probe"), "serve", "--listen", "10.99.0.2:9020", "--stamp", *allow, env=kept, stderr=subprocess.PIPE, text=True)
            self.addCleanup(server.stderr.close)
            wait_until(lambda: ":862 " in run(*inside, "ss", "-uln").stdout, 10, "the reflector")
            command = [*inside, program("wall-probe"), "stamp", "10.99.0.2", "--count", 5, "--interval-ms", 1, "--wait-ms", 300, "--json"]
            done = run(*command, "-B", "10.99.0.1", env=kept)
            self.assertEqual(done.returncode, 0 if answered else 1, done.stderr)
            if answered:
                result = json.loads(done.stdout)["data"]
                self.assertFalse(result["one_clock"])
                self.assertEqual(result["reflector"]["clock_source"], "NTP")
                self.assertGreaterEqual(result["figures"]["clock_error_us"], 200)
                self.assertLess(result["figures"]["clock_error_us"], 205)
                self.assertEqual(run(*command, "-B", "10.99.0.3", env=kept).returncode, 1)
            stop(server)
            self.assertIn(f"not answered: {5} from addresses", server.stderr.read())


if __name__ == "__main__":
    unittest.main(verbosity=2)
