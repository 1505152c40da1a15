"""What `wall-server --plan` says of memory is what the programs take: resident memory while they play, within a tenth."""
import json
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import Wall, program, resident_bytes, run, stop, wait_until  # noqa: E402


class Memory(unittest.TestCase):
    def check(self, wall):
        wall.ingest(f"lavfi:testsrc2=size={wall.picture[0]}x{wall.picture[1]}:rate=30:duration=0.4", "bars")
        plan = json.loads(run(program("wall-server"), "--wall", wall.file, "--content", wall.content, "--play", "bars", "--plan", "--json").stdout)
        needs = (plan[0] if isinstance(plan, list) else plan)["needs"]
        server = wall.server("--play", "bars")
        clients = {node: wall.client(node, "--headless") for node in wall.nodes}
        try:
            shown = lambda: [t["shown_whole"] for n in wall.call("stats")["nodes"] if n.get("report") for t in n["report"]["tiles"]]
            wait_until(lambda: len(shown()) == wall.columns * wall.rows and min(shown()) > 15, 20, "the wall to play")
            planned = {"server": (needs["server_memory_bytes"], server)}
            planned |= {need["node"]: (need["memory_bytes"], clients[need["node"]]) for need in needs["nodes"]}
            residents = lambda: {name: resident_bytes(process) for name, (_, process) in planned.items()}
            steady = lambda before, after: all(abs(after[name] - before[name]) < 2 << 20 for name in planned)
            # A buffer is taken when it is first needed, for the first concealed frame, say: once, not again and again.
            for _ in range(3):
                first = residents()
                time.sleep(2)
                if steady(first, residents()):
                    break
            else:
                self.fail("it grows while it plays")
            for name, (bytes_planned, process) in planned.items():
                with self.subTest(name):
                    resident = resident_bytes(process)
                    print(f"{name}: planned {bytes_planned / 2**20:.1f} MiB, resident {resident / 2**20:.1f} MiB ({resident / bytes_planned:.3f})")
                    self.assertAlmostEqual(resident / bytes_planned, 1, delta=0.1)
        finally:
            for process in [*clients.values(), server]:
                self.assertEqual(stop(process), 0)

    def test_one_large_tile(self):
        self.check(Wall(1, 1, tile=(1920, 1080), playout_delay_ms=80))

    def test_with_parity(self):
        self.check(Wall(1, 1, tile=(1920, 1080), playout_delay_ms=80, fec="20+4"))

    def test_many_flows(self):
        self.check(Wall(2, 2, tile=(960, 540), flows_per_tile=4, playout_delay_ms=80, nodes={"left": [(0, 0), (0, 1)], "right": [(1, 0), (1, 1)]}))


if __name__ == "__main__":
    real_time.main()
