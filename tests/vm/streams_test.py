"""P4.5: many parallel streams over an emulated round trip of 130 ms, through netem and through this project's relay. Both must keep the delay and carry the offered
load. The test prints the delay variation that each adds."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from wall import program  # noqa: E402

GBIT_PER_S, STREAMS, ROUND_TRIP_MS = 0.016, (1, 4, 16), 130
EXPERIMENT = ROOT / "experiments/p4-many-streams-delayed.toml"


class Streams(unittest.TestCase):
    def through(self, *emulator):
        with tempfile.TemporaryDirectory() as results:
            # The file's buffers are for 25 times the rate: 16 of them would exhaust the guest's memory for TCP.
            described = EXPERIMENT.read_text()
            self.assertIn("buffer_bytes = 16777216", described)
            experiment = pathlib.Path(results, "streams.toml")
            experiment.write_text(described.replace("buffer_bytes = 16777216", "buffer_bytes = 1048576"))
            done = subprocess.run([ROOT / "experiments/distance-link", *emulator, str(ROUND_TRIP_MS), "0", "sweep", experiment, "--results", results,
                                   "--set", f"flows={list(STREAMS)}", "--set", f"gbit_per_s={GBIT_PER_S}", "--set", "duration_s=2", "--set", "warm_up_s=3", "--set", "repetitions=1"],
                                  capture_output=True, text=True, env={**os.environ, "WALL_PROBE": program("wall-probe")}, timeout=600, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            return [json.loads(file.read_text()) for file in sorted(pathlib.Path(results, "runs").glob("*.json"))]

    def keeps_its_delay(self, name, runs):
        self.assertEqual(len(runs), 2 * len(STREAMS))
        for result in sorted(runs, key=lambda run: (run["point"]["protocol"], run["point"]["flows"])):
            figures, point = result["figures"], result["point"]
            spread = f", delay variation p99 {figures['pdv_us_p99'] / 1000:.2f} ms" if "pdv_us_p99" in figures else ""
            print(f"{name}, {point['protocol']}, {point['flows']:2} streams: round trip {figures['rtt_us'] / 1000:.2f} ms, {figures['gbit_per_s'] * 1000:.2f} Mbit/s{spread}")
            self.assertTrue(result["complete"], result.get("error"))
            self.assertGreaterEqual(figures["rtt_us"], ROUND_TRIP_MS * 1000)
            self.assertLess(figures["rtt_us"], ROUND_TRIP_MS * 1000 * 1.2)  # TCP counts delayed acknowledgements
            self.assertGreater(figures["gbit_per_s"], 0.9 * GBIT_PER_S)
            self.assertEqual(figures.get("loss", 0), 0)

    def test_netem(self):
        self.keeps_its_delay("netem", self.through("--netem"))

    def test_the_relay(self):
        self.keeps_its_delay("relay", self.through())


if __name__ == "__main__":
    unittest.main(verbosity=2)
