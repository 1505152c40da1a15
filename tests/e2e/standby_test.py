"""A wall of two servers, one of which stands by, with the real programs: killed, frozen, cut off and started again.

A hot standby sends the same packets by the second network: no frame may be lost, whatever happens to one of the two. A cold one
sends once the other is silent: the wall may stop for half a second. The servers have separate loopback addresses in a network
namespace, whose routing rules cut one of them off.
"""
import json
import os
import pathlib
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from hosts import Namespace  # noqa: E402
from pictures import make_source  # noqa: E402
from wall import Wall, program, run, start, stop, wait_until  # noqa: E402

A, B = "127.1.0.1", "127.2.0.1"  # where the server and its standby send from and are controlled
ROUNDS = int(os.environ.get("LW_STANDBY_ROUNDS", "1"))


class Network(Namespace):
    """Whose rules decide who can be reached."""

    def __init__(self):
        super().__init__()
        self.ip("link", "set", "lo", "up")
        self.ip("rule", "add", "pref", "100", "lookup", "local")
        self.ip("rule", "del", "pref", "0")

    def cut(self, address, is_cut):
        for side in ("from", "to"):
            self.ip("rule", "add" if is_cut else "del", "pref", "10", side, address, "blackhole")


class TwoServers(Wall):
    """The coordinator a, and b, which stands by for it; two tiles on one node, or on a node with two networks."""

    def __init__(self, standby, two_networks=False, **kwargs):
        self.standby, self.two_networks = standby, two_networks
        super().__init__(2, 1, tile=(96, 64), nodes={"left": [(0, 0)], "right": [(1, 0)]}, playout_delay_ms=250, **kwargs)

    def write(self):
        self.control = A + ":9010"
        super().write()
        text = self.file.read_text()
        begin, end = text.index("[[server]]"), text.index("[streaming]")
        servers = (f'[[server]]\nname = "a"\ncontrol = "{A}:9010"\ninterfaces = ["{A}"]\n'
                   f'[[server]]\nname = "b"\ncontrol = "{B}:9010"\ninterfaces = ["{B}"]\nstandby_for = "a"\nstandby = "{self.standby}"\n')
        text = text[:begin] + servers + text[end:]
        if self.two_networks:
            text = text.replace('address = "127.0.0.1"\n', 'address = "127.0.0.1"\nsecond_address = "127.0.1.1"\n')
        self.file.write_text(text)


class Standby(unittest.TestCase):
    def setUp(self):
        try:
            self.network = Network()
        except (OSError, AssertionError) as error:
            self.skipTest(f"this host lets us make no network namespaces: {error}")
        self.processes = {}
        self.addCleanup(self.end)

    def end(self):
        for name in ("left", "right", "a", "b"):
            if (process := self.processes.get(name)) and process.poll() is None:
                process.send_signal(signal.SIGCONT)
                self.assertEqual(stop(process), 0, name)
        stop(self.network.holder)

    def start(self, wall):
        self.wall = wall
        make_source(wall.folder / "source", wall.picture, 60)
        wall.ingest(wall.folder / "source", "film", "--rate", "30")
        self.dumps = {}
        for node in ("left", "right"):
            self.dumps[node] = wall.folder / node
            self.processes[node] = start(*self.network.inside, program("wall-client"), "--wall", wall.file, "--node", node, "--headless",
                                         "--dump", self.dumps[node])
        for name in ("b", "a"):
            self.serve(name)
        wait_until(lambda: self.call(A, "state") is not None, 10, "the coordinator")
        wait_until(lambda: len(self.follows()) == 1, 10, "the standby to follow")
        self.assertIsNotNone(self.call(A, "load", '{"name": "film"}'))
        wait_until(lambda: self.newest("left") is not None and self.newest("right") is not None, 10, "the nodes to show something")
        time.sleep(1)

    def serve(self, name):
        self.processes[name] = start(*self.network.inside, program("wall-server"), "--wall", self.wall.file, "--server", name, "--content", self.wall.content)

    def call(self, address, method, params="{}"):
        done = run(*self.network.inside, program("wall-control"), "--connect", address + ":9010", "--call", method, params)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def follows(self):
        answer = self.call(A, "subscribe", '{"stats": false, "events": true}') or {}
        return [event for event in answer.get("events", []) if event["code"] == "server-joined"]

    def shown(self, node):
        """A line for each swap: its PTS in seconds, and whether the frame was complete."""
        file = self.dumps[node] / "shown.ndjson"
        if not file.exists():
            return []
        lines = [json.loads(line) for line in file.read_text().splitlines() if line.endswith("}")]
        return [(line["pts_ns"] / 1e9, line["frame"], line["whole"]) for line in lines]

    def newest(self, node):
        shown = self.shown(node)
        return shown[-1] if shown else None

    def disturb(self, how, name):
        """Harms a server for a while, and waits until it plays again."""
        process, address = self.processes[name], {"a": A, "b": B}[name]
        if how == "killed":
            process.kill()
            process.wait()
        elif how == "frozen":
            process.send_signal(signal.SIGSTOP)
        else:
            self.network.cut(address, True)
        time.sleep(2.5)
        if how == "killed":
            self.serve(name)
        elif how == "frozen":
            process.send_signal(signal.SIGCONT)
        else:
            self.network.cut(address, False)
        time.sleep(4)

    def gaps(self, node, since):
        """The longest time between two frames shown since then, and how many were shown in part."""
        shown = [line for line in self.shown(node) if line[0] > since]
        times = [pts for pts, _, _ in shown]
        return max(later - earlier for earlier, later in zip(times, times[1:])), sum(not whole for _, _, whole in shown), len(shown)

    def play(self, longest_gap, only_whole, names=("a", "b")):
        worst = {}
        for _ in range(ROUNDS):
            for name in names:
                for how in ("killed", "frozen", "cut off"):
                    with self.subTest(server=name, how=how):
                        since = time.time() + 0.3
                        self.disturb(how, name)
                        for node in ("left", "right"):
                            gap, in_part, count = self.gaps(node, since)
                            worst[how] = max(worst.get(how, 0), gap)
                            self.assertLess(gap, longest_gap)
                            self.assertGreater(count, 100)
                            if only_whole:
                                self.assertEqual(in_part, 0)
        return worst

    def test_hot_standby_loses_no_frame(self):
        self.start(TwoServers("hot"))
        worst = self.play(1.5 / 30, True)
        print("hot standby: longest time between two frames", {how: f"{gap * 1000:.1f} ms" for how, gap in worst.items()})

    def test_hot_standby_by_a_second_network_loses_no_frame(self):
        self.start(TwoServers("hot", two_networks=True))
        self.play(1.5 / 30, True, names=("a",))

    def test_cold_standby_stops_for_half_a_second_at_most(self):
        self.start(TwoServers("cold"))
        worst = self.play(0.5, False, names=("a",))
        print("cold standby: longest time between two frames", {how: f"{gap * 1000:.0f} ms" for how, gap in worst.items()})


if __name__ == "__main__":
    real_time.main(verbosity=2)
