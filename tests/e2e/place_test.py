"""Flows are moved to other CPUs while a wall plays: the kernel says where their threads may run, and the wall plays on."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import Wall, stop, wait_until  # noqa: E402


def cpus_of_thread(process, name):
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        status = (task / "status").read_text()
        if f"Name:\t{name}\n" in status:
            return next(line.split()[1] for line in status.splitlines() if line.startswith("Cpus_allowed_list"))
    raise AssertionError(f"no thread {name}")


class Place(unittest.TestCase):
    def test_flows_of_server_and_node_move_and_come_back(self):
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) < 2:
            self.skipTest("one CPU only")
        wall = Wall(1, 1, tile=(64, 40), nodes={"one": [(0, 0)]})
        wall.ingest("lavfi:testsrc2=size=64x40:rate=30:duration=2", "test")
        server = wall.server("--play", "test")
        client = wall.client("one", "--headless")

        def shown():
            return [tile["shown_whole"] for node in wall.call("stats")["nodes"] if node.get("report") for tile in node["report"]["tiles"]]
        wait_until(lambda: sum(shown()) > 10, 10, "pictures")
        for where, process, thread in (({}, server, "flow-0"), ({"node": "one"}, client, "recv-0")):
            def now():
                placement = wall.call("placement")
                return (placement["nodes"][0]["flows"] if where else placement["server"])[0]
            planned = now()["planned"]
            self.assertEqual(cpus_of_thread(process, thread), str(planned))
            other = next(cpu for cpu in cpus if cpu != planned)
            wall.call("place", flows=[{"flow": 0, "cpu": other}], **where)
            wait_until(lambda: cpus_of_thread(process, thread) == str(other), 5, "the move")
            wait_until(lambda: now()["cpu"] == other, 5, "the placement")
            stats = (lambda: wall.call("stats")["nodes"][0]["report"]["flows"][0]) if where else (lambda: wall.call("stats")["sender"][0])
            wait_until(lambda: stats().get("cpu") == other, 5, "the figures")
            before = sum(shown())
            wait_until(lambda: sum(shown()) > before + 10, 5, "more frames")
            wall.call("place", planned=True, **where)
            wait_until(lambda: cpus_of_thread(process, thread) == str(planned), 5, "the way back")
        with self.assertRaisesRegex(RuntimeError, "may not run on CPU 99999"):
            wall.call("place", flows=[{"flow": 0, "cpu": 99999}])
        for process in (client, server):
            self.assertEqual(stop(process), 0)


if __name__ == "__main__":
    real_time.main(verbosity=2)
