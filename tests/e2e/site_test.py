"""Sites that show the same wall: by source-specific multicast, and by wall-relay, to each node and to a group. On hosts made of network namespaces on one bridge."""
import contextlib
import ctypes
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from hosts import Namespace, ip  # noqa: E402
from pictures import make_source  # noqa: E402
from wall import Wall, free_tcp_port, program, run, start, stop, wait_until  # noqa: E402

CLONE_NEWNET = 0x40000000
SERVER, STANDBY, SERVER6 = "10.9.0.1", "10.9.0.2", "fd09::1"
KEY = "00112233445566778899aabbccddeeff" * 2
# Classic BPF: drops a packet whose RTP sequence number, at byte 44 of its Ethernet frame, is 5 modulo 32.
DROP_SOME = "5,40 0 0 44,84 0 0 31,21 0 1 5,6 0 0 2,6 0 0 0"
# At a relay site without a relay: requests all packets of the flow, in a loop, from the server's port that reports.
FLOODER = """
import socket, struct, sys
sys.path.insert(0, sys.argv[1])
import rtcp
address, port = sys.argv[2], int(sys.argv[3])
media, control = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
media.bind((address, port))
control.bind((address, port + 1))
_, server = control.recvfrom(2000)
datagram = media.recv(10000)
low, ssrc = struct.unpack("!2xH4xI", datagram[:12])
print("floods", flush=True)
while True:
    media.setblocking(True)
    datagram = media.recv(10000)
    low, = struct.unpack("!2xH", datagram[:4])
    high, = struct.unpack("!H", datagram[36:38])
    highest = high << 16 | low
    for _ in range(40):
        control.sendto(rtcp.nack(7, ssrc, highest, [highest - 17 * i for i in range(1, 100)]), server)
"""


def add_addresses(addresses, device, inside=()):
    for address in addresses:
        ip("address", "replace", f"{address}/16", "dev", device, *(["nodad"] if ":" in address else []), inside=inside)


def leave_the_network():
    """From now on this process and all that it starts have a separate network, with a bridge that delivers to members of a group only."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
        raise OSError("unshare needs root")
    ip("link", "set", "lo", "up")
    ip("link", "add", "br0", "type", "bridge", "mcast_snooping", "1", "mcast_querier", "1", "mcast_igmp_version", "3", "mcast_mld_version", "2")
    add_addresses((SERVER, SERVER6), "br0")
    ip("link", "set", "br0", "mtu", "9000", "up")


def datagrams_sent():
    """By the kernel's count for this network."""
    names, counts = (line.split() for line in pathlib.Path("/proc/net/snmp").read_text().splitlines() if line.startswith("Udp:"))
    return int(counts[names.index("OutDatagrams")])


class Place(Namespace):
    """A host on the bridge, with these addresses; the first is its own."""
    number = 0

    def __init__(self, *addresses):
        super().__init__()
        Place.number += 1
        self.address, self.cable = addresses[0], f"p{Place.number}"
        ip("link", "add", self.cable, "mtu", "9000", "type", "veth", "peer", "name", "eth0", "mtu", "9000", "netns", self.holder.pid)
        ip("link", "set", self.cable, "master", "br0", "up")
        add_addresses(addresses, "eth0", self.inside)
        for device in ("lo", "eth0"):
            self.ip("link", "set", device, "up")

    def end(self):
        stop(self.holder)
        run("ip", "link", "del", self.cable)

    def start(self, *command, **kwargs):
        return start(*self.inside, *command, **kwargs)

    def lose_some(self):
        """Of what arrives."""
        for words in (("qdisc", "add", "dev", "eth0", "clsact"), ("filter", "add", "dev", "eth0", "ingress", "bpf", "da", "bytecode", DROP_SOME)):
            done = run(*self.inside, "tc", *words)
            if done.returncode != 0:
                raise unittest.SkipTest(f"this kernel cannot lose packets on purpose: {done.stderr.strip()}")


class Sites(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            leave_the_network()
        except OSError as error:
            raise unittest.SkipTest(f"this host lets us make no network namespaces: {error}")

    def setUp(self):
        self.clients = {}

    def place(self, *addresses):
        place = Place(*addresses)
        self.addCleanup(place.end)
        return place

    def make_wall(self, sites, server=SERVER, **streaming):
        """Two tiles, which the node "here" shows, and the nodes of `sites`: sections of the wall file."""
        settings = {"mtu": 1500, "playout_delay_ms": 250, **streaming}
        wall = Wall(2, 1, tile=(64, 40), nodes={"here": [(0, 0), (1, 0)]}, sections=sites, **settings)
        wall.file.write_text(wall.file.read_text().replace('"127.0.0.1"', f'"{server}"'))
        make_source(wall.folder / "source", wall.picture, 30)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        return wall

    @staticmethod
    def site(name, address, nodes, more=""):
        """`nodes`: {address: columns}; named SITE-1 and so on."""
        text = f'[[site]]\nname = "{name}"\naddress = "{address}"\n{more}'
        for number, (of_node, columns) in enumerate(nodes.items(), 1):
            tiles = ", ".join(f"{{ column = {column}, row = 0, window = [{64 * column}, 0] }}" for column in columns)
            text += f'[[site.node]]\nname = "{name}-{number}"\naddress = "{of_node}"\ntiles = [{tiles}]\n'
        return text

    def client(self, wall, node, place=None, file=None):
        command = [program("wall-client"), "--wall", file or wall.file, "--node", node, "--headless", "--dump", wall.folder / f"dump-{node}"]
        self.clients[node] = place.start(*command) if place else start(*command)
        self.addCleanup(stop, self.clients[node])

    def server(self, wall, *options, prefix=()):
        process = start(*prefix, program("wall-server"), "--wall", wall.file, "--content", wall.content, "--play", "noise", *options)
        self.addCleanup(stop, process)
        return process

    def relay(self, wall, place, site, file=None):
        process = place.start(program("wall-relay"), "--wall", file or wall.file, "--site", site, "--json", stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(stop, process)
        process.stdout.readline()
        return process

    @staticmethod
    def counts(relay):
        """At the end: the sums over its flows."""
        stop(relay)
        flows = json.loads(relay.stdout.read().splitlines()[-1])["flows"]
        return {key: sum(flow[key] for flow in flows) for key in flows[0] if key != "flow"}

    @staticmethod
    def shown(wall, node):
        lines = []
        path = wall.folder / f"dump-{node}" / "shown.ndjson"
        for line in path.read_text().splitlines() if path.exists() else []:
            try:
                lines.append(json.loads(line))
            except json.JSONDecodeError:
                break  # being written
        return lines

    def play(self, wall, frames=80):
        """Until each node has shown so many frames of each of its tiles."""
        def count(node):
            self.assertIsNone(self.clients[node].poll(), f"{node} has ended")
            tiles = [tuple(line["tile"]) for line in self.shown(wall, node)]
            return min((tiles.count(tile) for tile in set(tiles)), default=0)
        wait_until(lambda: all(count(node) >= frames for node in self.clients), 60, f"{frames} frames on {', '.join(self.clients)}")

    def end_clients(self):
        for process in self.clients.values():
            self.assertEqual(stop(process), 0)

    def check_frames(self, wall, node, incomplete=0, least=30):
        """From the third frame of each tile on: complete, and with the pixels that the wall's own node showed."""
        frames = self.shown(wall, node)
        tiles = {tuple(line["tile"]) for line in frames}
        self.assertTrue(tiles)
        for tile in tiles:
            of_tile = [line for line in frames if tuple(line["tile"]) == tile]
            self.assertGreaterEqual(len(of_tile), least)
            lost = [line["frame"] for line in of_tile[2:] if not line["whole"]]
            self.assertLessEqual(len(lost), incomplete, f"{node}, tile {tile}: {lost} of {len(of_tile)} frames")
            torn = {line["frame"] for line in of_tile if not line["whole"]}
            theirs, ours = (wall.folder / f"dump-{who}" / "tile-{}-{}".format(*tile) for who in (node, "here"))
            both = sorted({path.name for path in theirs.glob("*.png")} & {path.name for path in ours.glob("*.png")})
            self.assertGreater(len(both), 10)
            for name in both:
                if int(name.split(".")[0]) not in torn:
                    self.assertEqual((theirs / name).read_bytes(), (ours / name).read_bytes(), f"{node}, {tile}, frame {name}")

    def test_a_multicast_site_and_a_relay_site_beside_the_wall(self):
        """Two nodes join the server's groups, each those of its tile; a third gets its flows from a relay."""
        first, second = self.place("10.9.1.1"), self.place("10.9.1.2")
        relaying, behind = self.place("10.9.4.1"), self.place("10.9.5.1")
        wall = self.make_wall(self.site("near", "232.1.1.1", {"10.9.1.1": [0], "10.9.1.2": [1]}, "playout_delay_ms = 300\n") +
                              self.site("far", "10.9.4.1", {"10.9.5.1": [0, 1]}))
        relay = self.relay(wall, relaying, "far")
        self.client(wall, "here")
        self.client(wall, "near-1", first)
        self.client(wall, "near-2", second)
        self.client(wall, "far-1", behind)
        self.server(wall)
        self.play(wall)
        # The kernel's view: each node has joined the group of its flow only, for packets of the server.
        for place, group in ((first, "0xe8010101"), (second, "0xe8010102")):
            sources = run(*place.inside, "cat", "/proc/net/mcfilter").stdout
            self.assertRegex(sources, rf"eth0\s+{group}\s+0x0a090001\s+")
            self.assertEqual(len(set(re.findall("0xe80101..", sources))), 1)
        self.end_clients()
        for node in ("near-1", "near-2", "far-1"):
            self.check_frames(wall, node)
        counts = self.counts(relay)
        self.assertGreater(counts["packets"], 1000)
        self.assertEqual((counts["lost"], counts["send_errors"], counts["invalid"], counts["rtcp_refused"]), (0, 0, 0, 0))
        self.assertLess(counts["send_calls"], counts["packets"] / 2)  # runs stay together
        # The site shows each frame 50 ms later than the wall, by its playout delay.
        at = {node: {(line["frame"], line["pts_ns"] - delay): line["swap_ns"] for line in self.shown(wall, node) if line["tile"] == [0, 0]}
              for node, delay in (("here", 250_000_000), ("near-1", 300_000_000), ("far-1", 250_000_000))}
        for node, expected in (("near-1", 50), ("far-1", 0)):
            later = sorted(at[node][key] - at["here"][key] for key in set(at["here"]) & set(at[node]))
            self.assertGreater(len(later), 30)
            self.assertLess(abs(later[len(later) // 2] / 1e6 - expected), 15)

    @staticmethod
    def gaps(lines):
        """The longest time between two of these frames, in seconds."""
        times = sorted({line["pts_ns"] for line in lines})
        return max(later - earlier for earlier, later in zip(times, times[1:])) / 1e9

    @staticmethod
    def add_standby(wall, kind):
        """For the wall's server, in the wall file."""
        add_addresses([STANDBY], "br0")
        standby = (f'[[server]]\nname = "second"\ncontrol = "127.0.0.1:{free_tcp_port()}"\ninterfaces = ["{STANDBY}"]\n'
                   f'standby_for = "server"\nstandby = "{kind}"\n')
        wall.file.write_text(wall.file.read_text().replace("[streaming]", standby + "[streaming]"))

    def start_both_servers(self, wall):
        serve = lambda name: start(program("wall-server"), "--wall", wall.file, "--server", name, "--content", wall.content)
        second = serve("second")
        self.addCleanup(stop, second)
        first = serve("server")
        self.addCleanup(stop, first)
        joined = lambda: any(event["code"] == "server-joined" for event in wall.call("subscribe", stats=False, events=True)["events"])
        wait_until(lambda: self.answers(wall) and joined(), 20, "the standby to follow")
        wall.call("load", name="noise")
        self.play(wall, 60)
        return first, second

    def check_since(self, wall, node, since, longest_gap, only_whole):
        """The frames of both tiles that were due since then."""
        for tile in ([0, 0], [1, 0]):
            after = [line for line in self.shown(wall, node) if line["tile"] == tile and line["pts_ns"] / 1e9 > since]
            self.assertGreater(len(after), 60)
            if only_whole:
                self.assertEqual([line["frame"] for line in after if not line["whole"]], [])
            self.assertLess(self.gaps(after), longest_gap)

    def test_a_hot_standby_sends_to_the_group(self):
        """A server and its standby send the same packets: the site misses nothing when the server is killed."""
        there = self.place("10.9.1.1")
        wall = self.make_wall(self.site("near", "232.1.1.1", {"10.9.1.1": [0, 1]}))
        self.add_standby(wall, "hot")
        self.client(wall, "here")
        self.client(wall, "near-1", there)
        first, _ = self.start_both_servers(wall)
        # The kernel's view: the node has joined the group for packets of both.
        sources = run(*there.inside, "cat", "/proc/net/mcfilter").stdout
        for source in ("0x0a090001", "0x0a090002"):
            self.assertRegex(sources, rf"eth0\s+0xe8010101\s+{source}\s+")
        killed = time.time()
        first.kill()
        first.wait()
        time.sleep(3)
        self.end_clients()
        self.check_since(wall, "near-1", killed - 0.5, 1.5 / 30, True)
        self.check_frames(wall, "near-1")

    def behind_a_relay(self, kind, **streaming):
        """A wall with a standby, and a site behind a relay."""
        relaying, behind = self.place("10.9.4.1"), self.place("10.9.5.1")
        wall = self.make_wall(self.site("far", "10.9.4.1", {"10.9.5.1": [0, 1]}), **streaming)
        self.add_standby(wall, kind)
        if "srtp_key_file" in streaming:
            (wall.folder / "media.key").write_text(KEY + "\n")
            (wall.folder / "media.key").chmod(0o600)
        relay = self.relay(wall, relaying, "far")
        self.client(wall, "here")
        self.client(wall, "far-1", behind)
        return wall, relay

    def disturb(self, how, address, process):
        """For a while: freezes a server, or cuts its way to other hosts."""
        cut = lambda action: ip("rule", action, "pref", "10", "from", address, "blackhole")
        process.send_signal(signal.SIGSTOP) if how == "frozen" else cut("add")
        time.sleep(2.5)
        process.send_signal(signal.SIGCONT) if how == "frozen" else cut("del")
        time.sleep(2.5)

    def test_a_hot_standby_beside_a_relay_loses_no_frame(self):
        """Whatever happens to one of the two. The relay forwards each packet once."""
        wall, relay = self.behind_a_relay("hot")
        first, second = self.start_both_servers(wall)
        since = time.time() - 0.5
        for how in ("frozen", "cut off"):
            for address, process in ((STANDBY, second), (SERVER, first)):
                self.disturb(how, address, process)
        first.kill()
        first.wait()
        time.sleep(3)
        self.end_clients()
        self.check_since(wall, "far-1", since, 1.5 / 30, True)
        self.check_frames(wall, "far-1")
        counts = self.counts(relay)
        self.assertGreater(counts["repeated"], 0.3 * counts["packets"])
        self.assertEqual((counts["lost"], counts["send_errors"], counts["invalid"]), (0, 0, 0))

    def kill_and_play_on(self, server):
        """When it was killed; the clients have ended some time later."""
        killed = time.time()
        server.kill()
        server.wait()
        time.sleep(3)
        self.end_clients()
        return killed

    def test_a_hot_standby_beside_a_relay_that_has_no_key(self):
        """The relay forwards the packets of both servers, which differ."""
        wall, relay = self.behind_a_relay("hot", srtp_key_file="media.key")
        first, _ = self.start_both_servers(wall)
        killed = self.kill_and_play_on(first)
        self.check_since(wall, "far-1", killed - 0.5, 1.5 / 30, True)
        counts = self.counts(relay)
        self.assertNotIn("repeated", counts)
        self.assertEqual((counts["send_errors"], counts["invalid"]), (0, 0))

    def test_a_cold_standby_beside_a_relay_stops_for_half_a_second_at_most(self):
        wall, _ = self.behind_a_relay("cold")
        first, _ = self.start_both_servers(wall)
        killed = self.kill_and_play_on(first)
        self.check_since(wall, "far-1", killed - 0.5, 0.5, False)

    def test_all_tiles_of_a_site_show_a_frame_or_none(self):
        """[sync] mode = "wall": a node of a site loses frames. The other node of its site does not show these either; other sites do."""
        lossy, beside, clean = self.place("10.9.1.1"), self.place("10.9.1.2"), self.place("10.9.2.1")
        relaying, behind = self.place("10.9.4.1"), self.place("10.9.5.1")
        lossy.lose_some()
        wall = self.make_wall('[sync]\nmode = "wall"\n' + self.site("lossy", "232.1.1.1", {"10.9.1.1": [0], "10.9.1.2": [1]}) +
                              self.site("clean", "232.1.1.1", {"10.9.2.1": [0, 1]}) + self.site("far", "10.9.4.1", {"10.9.5.1": [0, 1]}),
                              resend=False, fec="none", burst_packets=1)
        self.relay(wall, relaying, "far")
        self.client(wall, "here")
        for node, place in (("lossy-1", lossy), ("lossy-2", beside), ("clean-1", clean), ("far-1", behind)):
            self.client(wall, node, place)
        self.server(wall)
        self.play(wall, 120)
        self.end_clients()
        lines = {(node, column): [line for line in self.shown(wall, node) if line["tile"] == [column, 0]]
                 for node, columns in (("here", (0, 1)), ("lossy-1", (0,)), ("lossy-2", (1,)), ("clean-1", (0, 1)), ("far-1", (0, 1))) for column in columns}
        self.assertTrue(all(line["whole"] for of_tile in lines.values() for line in of_tile))
        first = max(of_tile[0]["pts_ns"] for of_tile in lines.values()) + 500_000_000
        last = min(of_tile[-1]["pts_ns"] for of_tile in lines.values()) - 100_000_000
        # Not looked at: where a busy machine delayed a program for longer than a frame is shown late.
        stalls = [line["pts_ns"] for of_tile in lines.values() for line in of_tile if line["swap_ns"] - line["pts_ns"] > 30e6]
        shown = {tile: {line["pts_ns"] for line in of_tile if first <= line["pts_ns"] <= last and
                        not any(abs(line["pts_ns"] - stall) < 150e6 for stall in stalls)} for tile, of_tile in lines.items()}
        self.assertGreater(len(shown["lossy-1", 0]), 40)
        self.assertEqual(shown["lossy-1", 0], shown["lossy-2", 1])
        for node in ("here", "clean-1", "far-1"):
            self.assertEqual(shown[node, 0], shown[node, 1])
            self.assertGreater(len(shown[node, 0]), 1.1 * len(shown["lossy-1", 0]), node)

    def test_losses_at_one_site_are_its_own(self):
        """A node of a group and the node of a relay lose packets; each gets them again, and the other nodes of the wall notice nothing."""
        lossy, clean = self.place("10.9.1.1"), self.place("10.9.2.1")
        relaying, behind = self.place("10.9.4.1"), self.place("10.9.5.1")
        lossy.lose_some()
        behind.lose_some()
        wall = self.make_wall(self.site("lossy", "232.1.1.1", {"10.9.1.1": [0, 1]}) + self.site("clean", "232.1.1.1", {"10.9.2.1": [0, 1]}) +
                              self.site("far", "10.9.4.1", {"10.9.5.1": [0, 1]}), fec="none", burst_packets=1)
        relay = self.relay(wall, relaying, "far")
        self.client(wall, "here")
        for node, place in (("lossy-1", lossy), ("clean-1", clean), ("far-1", behind)):
            self.client(wall, node, place)
        self.server(wall)
        self.play(wall, 120)
        stats = wall.call("stats")
        sites = {site["site"]: site for site in stats["sites"]}
        self.end_clients()
        for node in ("here", "clean-1"):
            self.check_frames(wall, node)
        for node in ("lossy-1", "far-1"):
            self.check_frames(wall, node, incomplete=2)
        self.assertEqual(sum(flow["resent"] + flow["parity"] for flow in stats["sender"]), 0)  # to the wall's own node
        self.assertEqual([site["flows_heard"] for site in sites.values()], [2, 2, 2])
        self.assertGreater(sites["lossy"]["resent"], 20)
        self.assertEqual(sites["lossy"]["resends_refused"], 0)
        self.assertEqual((sites["clean"]["resent"], sites["clean"]["lost"]), (0, 0))
        self.assertEqual(sites["far"]["resent"], 0)  # the relay has all
        self.assertGreater(sites["far"]["lost"], 20)
        counts = self.counts(relay)
        self.assertGreater(counts["resends_asked"], 20)
        self.assertGreater(counts["resent"], 0.9 * counts["resends_asked"])
        self.assertEqual(counts["resends_passed"] + counts["resends_refused"], 0)

    def test_a_silent_site_and_one_that_floods_harm_nobody(self):
        """At one site nothing listens, not even a host; another sends thousands of requests a second."""
        flooding, clean = self.place("10.9.4.1"), self.place("10.9.2.1")
        wall = self.make_wall(self.site("silent", "10.9.9.9", {"10.9.9.1": [0, 1]}) + self.site("gone", "232.1.1.1", {"10.9.9.2": [0, 1]}) +
                              self.site("flooding", "10.9.4.1", {"10.9.5.1": [0, 1]}, "resend_percent = 5\n") + self.site("clean", "232.1.1.1", {"10.9.2.1": [0, 1]}))
        self.client(wall, "here")
        self.client(wall, "clean-1", clean)
        support = pathlib.Path(__file__).resolve().parents[1] / "support"
        flood = flooding.start(sys.executable, "-c", FLOODER, support, "10.9.4.1", wall.streaming["base_port"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(flood.stdout.close)
        self.addCleanup(stop, flood)
        self.server(wall)
        self.assertEqual(flood.stdout.readline().strip(), "floods")
        self.play(wall, 120)
        stats = wall.call("stats")
        self.end_clients()
        for node in ("here", "clean-1"):
            self.check_frames(wall, node)
        self.assertEqual(sum(flow["frames_skipped"] for flow in stats["sender"]), 0)
        sites = {site["site"]: site for site in stats["sites"]}
        self.assertEqual({name: site["flows_heard"] for name, site in sites.items() if name != "flooding"}, {"silent": 0, "gone": 0, "clean": 2})
        self.assertGreater(sites["flooding"]["resends_refused"], 1000)
        self.assertEqual(sites["clean"]["resends_refused"], 0)

    def sent(self, sites):
        """Datagrams and sends of the server for each packet of a flow, by the kernel's count and strace's. A send has one datagram."""
        wall = self.make_wall("".join(self.site(f"s{i}", "232.1.1.1", {f"10.9.3.{i + 1}": [0, 1]}) for i in range(sites)), burst_packets=1)
        traced = wall.folder / "calls"
        with contextlib.ExitStack() as stack:
            for port in range(wall.streaming["base_port"], wall.streaming["base_port"] + 2 * wall.flows):  # in place of the wall's own node
                stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)).bind((SERVER, port))
            return self.measured(wall, traced)

    def measured(self, wall, traced):
        packets = lambda: sum(flow["packets"] for flow in wall.call("stats")["sender"])
        before = datagrams_sent()
        strace = self.server(wall, prefix=["strace", "-f", "-qq", "-c", "-o", traced, "-e", "trace=sendmsg,sendmmsg,sendto"])
        wait_until(lambda: self.answers(wall), 30, "the server")
        server = int(pathlib.Path(f"/proc/{strace.pid}/task/{strace.pid}/children").read_text().split()[0])
        self.addCleanup(lambda: os.path.exists(f"/proc/{server}") and os.kill(server, signal.SIGKILL))
        for _ in range(60):  # looks seldom: each look is also answered by sends
            time.sleep(1)
            if packets() >= 2500:
                break
        wall.call("stop")
        time.sleep(0.5)
        sent, datagrams = packets(), datagrams_sent() - before
        self.assertGreaterEqual(sent, 2500)
        os.kill(server, signal.SIGTERM)
        strace.wait(20)
        calls = sum(int(line.split()[3]) for line in traced.read_text().splitlines() if line.split()[-1:] and line.split()[-1].startswith("send"))
        return datagrams / sent, calls / sent

    @staticmethod
    def answers(wall):
        try:
            return bool(wall.call("stats"))
        except (OSError, AssertionError):
            return False

    def test_eight_sites_of_a_group_cost_the_server_what_one_costs(self):
        if run("which", "strace").returncode != 0:
            self.skipTest("strace is missing (scripts/install-deps test)")
        results = {count: self.sent(count) for count in (1, 8)}
        print(f"of the server, for a packet of a flow: {results[1][0]:.2f} datagrams and {results[1][1]:.2f} sends with one site, "
              f"{results[8][0]:.2f} and {results[8][1]:.2f} with eight")
        for one, eight in zip(results[1], results[8]):
            self.assertAlmostEqual(eight / one, 1.0, delta=0.02)

    def test_a_node_of_a_site_that_falls_silent_is_reported(self):
        """And when it is heard again. Its site is heard meanwhile; then the whole site is silent."""
        left, right = self.place("10.9.1.1"), self.place("10.9.1.2")
        wall = self.make_wall(self.site("near", "232.1.1.1", {"10.9.1.1": [0], "10.9.1.2": [1]}))
        self.client(wall, "near-1", left)
        self.client(wall, "near-2", right)
        self.server(wall)
        events = lambda: [event for event in wall.call("subscribe", stats=False, events=True)["events"] if event["code"].startswith("site-")]
        happened = lambda *codes: wait_until(lambda: self.answers(wall) and [event["code"] for event in events()] == list(codes), 30, ", ".join(codes))
        heard = lambda: {node["node"]: node["flows_heard"] for node in wall.call("stats")["sites"][0]["nodes"]}
        wait_until(lambda: self.answers(wall) and heard() == {"near-1": 1, "near-2": 1}, 30, "both nodes")
        self.assertEqual(stop(self.clients.pop("near-1")), 0)
        happened("site-node-silent")
        self.assertIn("node near-1 of site near", events()[0]["text"])
        self.assertEqual(heard(), {"near-1": 0, "near-2": 1})
        self.client(wall, "near-1", left)
        happened("site-node-silent", "site-node-reports")
        for node in ("near-1", "near-2"):
            self.assertEqual(stop(self.clients.pop(node)), 0)
        happened("site-node-silent", "site-node-reports", "site-node-silent", "site-silent")
        site = wall.call("stats")["sites"][0]
        self.assertEqual((site["flows"], site["flows_heard"]), (2, 0))
        self.assertGreater(site["resend_budget_bytes_per_s"], 0)

    def test_a_relay_sends_to_a_group(self):
        relaying, behind = self.place("10.9.4.1"), self.place("10.9.5.1")
        wall = self.make_wall(self.site("far", "10.9.4.1", {"10.9.5.1": [0, 1]}, 'group = "232.1.2.1"\nttl = 4\n'))
        relay = self.relay(wall, relaying, "far")
        self.client(wall, "here")
        self.client(wall, "far-1", behind)
        self.server(wall)
        self.play(wall)
        self.assertRegex(run(*behind.inside, "cat", "/proc/net/mcfilter").stdout, r"eth0\s+0xe8010201\s+0x0a090401\s+")
        self.end_clients()
        self.check_frames(wall, "far-1")
        counts = self.counts(relay)
        self.assertEqual((counts["lost"], counts["send_errors"]), (0, 0))

    def test_sites_of_ipv6(self):
        """A node joins a group by MLDv2; another gets its flows from a relay, which sends to a group."""
        there, relaying, behind = self.place("fd09::1:1"), self.place("fd09::4:1"), self.place("fd09::5:1")
        wall = self.make_wall(self.site("near", "ff3e::8000:1", {"fd09::1:1": [0, 1]}) +
                              self.site("far", "fd09::4:1", {"fd09::5:1": [0, 1]}, 'group = "ff3e::8000:9"\n'), SERVER6)
        relay = self.relay(wall, relaying, "far")
        self.client(wall, "here")
        self.client(wall, "near-1", there)
        self.client(wall, "far-1", behind)
        self.server(wall)
        self.play(wall)
        for place, group, source in ((there, "ff3e" + "0" * 20 + "80000001", "fd09%028x" % 1), (behind, "ff3e" + "0" * 20 + "80000009", "fd09%028x" % 0x40001)):
            self.assertRegex(run(*place.inside, "cat", "/proc/net/mcfilter6").stdout, rf"eth0 +{group} +{source} ")
        self.end_clients()
        for node in ("near-1", "far-1"):
            self.check_frames(wall, node)
        counts = self.counts(relay)
        self.assertEqual((counts["lost"], counts["send_errors"]), (0, 0))

    def test_a_relay_needs_no_key(self):
        """Packets and reports are encrypted: the server resends what the site lost."""
        relaying, behind = self.place("10.9.4.1"), self.place("10.9.5.1")
        behind.lose_some()
        wall = self.make_wall(self.site("far", "10.9.4.1", {"10.9.5.1": [0, 1]}), srtp_key_file="media.key", burst_packets=1)
        (wall.folder / "media.key").write_text(KEY + "\n")
        (wall.folder / "media.key").chmod(0o600)
        without_key = wall.folder / "relay" / "wall.toml"
        without_key.parent.mkdir()
        without_key.write_text(wall.file.read_text())
        relay = self.relay(wall, relaying, "far", without_key)
        self.client(wall, "here")
        self.client(wall, "far-1", behind)
        self.server(wall)
        self.play(wall)
        self.end_clients()
        self.check_frames(wall, "far-1", incomplete=2)
        counts = self.counts(relay)
        self.assertNotIn("lost", counts)
        self.assertEqual((counts["resent"], counts["invalid"]), (0, 0))

    def test_wrong_calls_are_explained(self):
        wall = self.make_wall(self.site("a", "232.1.1.1", {"10.9.1.1": [0, 1]}))
        for options, says in ((["--site", "b"], "has no site 'b'; its sites are a"), (["--site", "a"], "site 'a' has no relay: its nodes join the server's group 232.1.1.1")):
            done = run(program("wall-relay"), "--wall", wall.file, *options)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertIn(says, done.stderr)
        done = run(program("wall-client"), "--wall", wall.file, "--node", "c", "--headless")
        self.assertIn("its nodes are here, a-1", done.stderr)
        self.assertEqual(run(program("wall-relay")).returncode, 2)


if __name__ == "__main__":
    real_time.main(verbosity=2)
