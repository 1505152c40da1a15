"""[clock] phc: the system's clock compared with a network card's PTP clock, which fake_phc.c puts behind an ordinary file."""
import os
import pathlib
import sys
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from pictures import make_source  # noqa: E402
from wall import Wall, program, start, stop, wait_until  # noqa: E402

SHIM = os.environ["LW_FAKE_PHC"]


class Phc(unittest.TestCase):
    def play(self, device="ptp0", server=None, node=None):
        """Server and node, each with the clocks of its FAKE_PHC, or without."""
        self.wall = wall = Wall(1, 1, tile=(64, 40))
        (wall.folder / "ptp0").write_text("")
        wall.sections = f'[clock]\nphc = "{wall.folder / device}"\n'
        wall.write()
        make_source(wall.folder / "source", wall.picture, 30)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        environment = lambda fake: {**os.environ, "LD_PRELOAD": SHIM, "FAKE_PHC": fake} if fake else os.environ
        self.said = []
        for name, command, fake in (("server", ["wall-server", "--content", wall.content, "--play", "noise"], server),
                                    ("node", ["wall-client", "--node", "node-0-0", "--headless"], node)):
            said = wall.folder / f"{name}.log"
            self.said.append(said)
            with open(said, "w") as out:
                process = start(program(command[0]), "--wall", wall.file, *command[1:], env=environment(fake), stderr=out)
            self.addCleanup(stop, process)
        wait_until(self.shows, 20, "frames to be shown")

    def shows(self):
        try:
            self.stats = self.wall.call("stats")
        except OSError:
            return False
        report = self.stats["nodes"][0].get("report")
        self.node = report["clock"] if report else {}
        return report is not None and report["tiles"][0]["shown_whole"] > 5

    def test_server_and_node_report_their_cards(self):
        # The server's in TAI, the node's in UTC; the server's is worse than the kernel's figure, the node's better.
        self.play(server=f"{37 * 10**9 + 250_000} 37 100", node="-40000 37 90")
        self.assertEqual(self.stats["clock"], {"phc_offset_us": 250, "error_us": 250.5})
        self.assertEqual(self.node["phc_offset_us"], -40)
        metrics = urllib.request.urlopen(f"http://{self.wall.control}/metrics", timeout=5).read().decode()
        for name, value in (("server_clock_phc_offset", 0.00025), ("server_clock_error", 0.0002505), ("node_clock_phc_offset", -0.00004)):
            line = next(line for line in metrics.splitlines() if line.startswith(f"lambdawall_{name}_seconds{{"))
            self.assertAlmostEqual(float(line.split()[-1]), value, places=9)
        self.assertNotIn("phc", "".join(said.read_text() for said in self.said))

    def test_the_kernels_bound_holds_where_it_is_larger(self):
        self.play(server="-1000 0 300", node="2000 0 300")
        self.assertEqual(self.stats["clock"], {"phc_offset_us": -1, "error_us": 300})
        self.assertEqual(self.node["phc_offset_us"], 2)

    def check_unused(self, *words):
        self.assertNotIn("phc_offset_us", self.stats["clock"])
        self.assertNotIn("phc_offset_us", self.node)
        for said in self.said:
            lines = [line for line in said.read_text().splitlines() if "[clock] phc is not used" in line]
            self.assertEqual(len(lines), 1)
            for word in words:
                self.assertIn(word, lines[0])

    def test_a_card_in_tai_is_not_used_where_nobody_knows_tai(self):
        self.play(server=f"{37 * 10**9} 0 300", node=f"{37 * 10**9} 0 300")
        self.check_unused("is 37.000 s ahead of the system's clock", "TAI - UTC", "leapsectz")
        self.assertEqual(self.stats["clock"], {"error_us": 300})

    def test_a_device_that_is_none_is_warned_of_and_the_wall_plays(self):
        self.play(device="ptp7")
        self.check_unused("ptp7: cannot be opened: No such file", "ethtool -T")
        self.play(device="ptp0")  # a file, without the shim
        self.check_unused("ptp0: cannot be read as a PTP clock", "ethtool -T")


if __name__ == "__main__":
    real_time.main(verbosity=2)
