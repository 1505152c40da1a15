"""[clock] source = "wall" between hosts as far as one machine can have them: each client in its own network namespace, reached by
a veth pair, with a clock that is set wrong by up to 10 s and drifts by 50 ppm; from one server with wall-probe impair in the way
(25 +- 5 ms each way), and from three servers whose clocks are also wrong. The error that is reported must hold, and the tiles keep
step."""
import pathlib
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from clocks import WrongClock, check_bounds, clock_of, quantile, skews_ms  # noqa: E402
from hosts import Host, tunnel  # noqa: E402
from pictures import make_source  # noqa: E402
from servers import SeveralServers  # noqa: E402
from wall import Wall, port_open, program, start, stop, wait_until  # noqa: E402

CLOCKS = [(10, 50), (-10, -50), (3.3, 30), (-0.2, 0)]  # seconds ahead, ppm


class Namespaces(unittest.TestCase):
    def setUp(self):
        self.processes = []
        self.hosts = []
        try:
            for number in range(len(CLOCKS)):
                self.hosts.append(Host(number))
        except (OSError, AssertionError) as error:
            self.end()
            self.skipTest(f"this host lets us make no network namespaces: {error}")
        self.addCleanup(self.end)

    def end(self):
        for process in self.processes + [host.holder for host in self.hosts]:
            stop(process)

    def start(self, *command, **kwargs):
        self.processes.append(start(*command, **kwargs))
        return self.processes[-1]

    def make_wall(self, kind=Wall):
        """The wall as the nodes know it, and the file that the server has: with the nodes' addresses."""
        wall = kind(len(CLOCKS), 1, tile=(64, 40), sections='[clock]\nsource = "wall"\n', mtu=1500, playout_delay_ms=150)
        make_source(wall.folder / "source", wall.picture, 30)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        text = wall.file.read_text().replace('interfaces = ["127.0.0.1"]\n', "")
        for number, host in enumerate(self.hosts):
            name = f'name = "node-{number}-0"\naddress = '
            self.assertIn(f'{name}"127.0.0.1"', text)
            text = text.replace(f'{name}"127.0.0.1"', f'{name}"{host.address}"')
        file = wall.folder / "server.toml"
        file.write_text(text)
        return wall, file

    def start_clients(self, wall, file):
        """Their clocks, dumps and processes."""
        control_host, control_port = wall.control.rsplit(":", 1)
        clocks, dumps, clients = {}, {}, []
        for number, (host, wrong) in enumerate(zip(self.hosts, CLOCKS)):
            node = f"node-{number}-0"
            listener = host.listen(control_host, int(control_port))
            self.addCleanup(listener.shutdown, socket.SHUT_RDWR)  # ends the tunnel, and with it what holds the namespace
            tunnel(listener, (control_host, int(control_port)))
            clocks[node], dumps[node] = WrongClock(*wrong), wall.folder / node
            clients.append(self.start(*host.inside, program("wall-client"), "--wall", file, "--node", node, "--headless", "--dump", dumps[node],
                                      env=clocks[node].environment()))
        return clocks, dumps, clients

    def check_skews(self, clocks, dumps, least_frames, where, worst, bound):
        skews = skews_ms(clocks, dumps)
        print(f"skew over {len(skews)} frames {where}: p50 {quantile(skews, 0.5):.2f} ms, p99 {quantile(skews, 0.99):.2f} ms; "
              f"clock error at most {worst / 1000:.2f} ms, bound {bound / 1000:.1f} ms")
        self.assertGreater(len(skews), least_frames)
        self.assertLess(quantile(skews, 0.5), 10)  # the clocks are 20 s apart

    def test_four_clients_with_wrong_clocks_keep_step(self):
        wall, server_file = self.make_wall()
        base, back = wall.streaming["base_port"], wall.streaming["source_port"] - 10000
        for number, host in enumerate(self.hosts):
            port = base + 2 * number
            self.start(*host.inside, program("wall-probe"), "impair", "--listen", f"{host.address}:{port}-{port + 1}", "--to", f"127.0.0.1:{port}",
                       "--from", f"127.0.0.1:{back}", "--seed", number + 1, "--delay-ms", "25", "--jitter-ms", "5", "--distribution", "uniform", "--both",
                       stdout=subprocess.DEVNULL)
        clocks, dumps, clients = self.start_clients(wall, wall.file)
        server = self.start(program("wall-server"), "--wall", server_file, "--content", wall.content, "--play", "noise")
        wait_until(lambda: port_open(wall.control), 10, "the server")
        state = lambda node: clock_of(wall, node)["state"]
        wait_until(lambda: all(state(node) == "kept" for node in clocks), 10, "the clocks")
        worst, bound = check_bounds(self, wall, clocks, 8)
        stats = wall.call("stats")
        for process in (*clients, server):
            self.assertEqual(stop(process), 0)

        self.check_skews(clocks, dumps, 60, "in four namespaces", worst, bound)
        for entry in stats["nodes"]:
            self.assertGreater(entry["report"]["clock"]["round_trip_us_min"], 39_500)  # the relay is in the way
            self.assertGreater(entry["report"]["tiles"][0]["shown_whole"], 100)

    def test_three_servers_and_four_nodes_with_wrong_clocks_keep_step(self):
        wall, file = self.make_wall(SeveralServers)
        clocks, dumps, clients = self.start_clients(wall, file)
        wrong = {name: WrongClock(*values) for name, values in zip(wall.controls, ((100, 40), (-20, -40), (7, 10)))}
        servers = [wall.serve(name, file=file, env=clock.environment()) for name, clock in reversed(wrong.items())]
        self.processes += servers
        wait_until(lambda: {flow["flow"] for flow in wall.call("stats")["sender"]} == {0, 1, 2, 3}, 10, "the servers to follow")
        wall.call("load", name="noise")
        wait_until(lambda: all(clock_of(wall, node)["state"] == "kept" for node in clocks), 10, "the clocks")
        worst, bound = check_bounds(self, wall, clocks, 10, leader=wrong["a"])
        for process in (*clients, *servers):
            self.assertEqual(stop(process), 0)
        self.check_skews(clocks, dumps, 100, "of three servers", worst, bound)


if __name__ == "__main__":
    real_time.main(verbosity=2)
