"""`wall-probe hash`: what it foretells is what the kernel does, where the kernel has bonds."""
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import Wall, program, run  # noqa: E402

SEND = """
import socket, sys
for port in range(40000, 40000 + 2 * {flows}, 2):
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("10.77.0.1", port))
    for _ in range({packets}):
        udp.sendto(b"x" * 100, ("10.77.0.2", 50000 + (port - 40000) // 2 * 6))
"""
TARGET_MAC = "02:00:00:00:77:31"
NAMESPACE = f"lw-hash-{os.getpid()}"


def probe(*options):
    return run(program("wall-probe"), "hash", *options)


class Hash(unittest.TestCase):
    FLOWS = ["--from", "10.77.0.1:40000-40030/2", "--to", "10.77.0.2:50000-50090/6"]

    def in_namespace(self, *command):
        return run("ip", "netns", "exec", NAMESPACE, *command)

    def make_bond(self):
        if os.geteuid() != 0 or run("ip", "netns", "add", NAMESPACE).returncode != 0:
            self.skipTest("network namespaces need root")
        self.addCleanup(run, "ip", "netns", "del", NAMESPACE)
        made = self.in_namespace("ip", "link", "add", "bond7", "type", "bond", "mode", "balance-xor")
        if made.returncode != 0:
            self.skipTest(f"this kernel has no bond: {made.stderr.strip()}")
        for i in range(3):
            self.in_namespace("ip", "link", "add", f"m{i}", "type", "veth", "peer", "name", f"p{i}")
            self.in_namespace("ip", "link", "set", f"p{i}", "up")
            self.in_namespace("ip", "link", "set", f"m{i}", "master", "bond7")
        self.in_namespace("ip", "link", "set", "bond7", "up")
        self.in_namespace("ip", "addr", "add", "10.77.0.1/24", "dev", "bond7")
        self.in_namespace("ip", "neigh", "replace", "10.77.0.2", "lladdr", TARGET_MAC, "dev", "bond7", "nud", "permanent")

    def sent(self):
        return [int(self.in_namespace("cat", f"/sys/class/net/m{i}/statistics/tx_packets").stdout) for i in range(3)]

    def test_a_real_bond_does_as_foretold(self):
        self.make_bond()
        mac = self.in_namespace("cat", "/sys/class/net/bond7/address").stdout.strip()
        for policy in ("layer2", "layer2+3", "layer3+4"):
            with self.subTest(policy):
                # The policy of a bond that is up may be changed.
                self.assertEqual(self.in_namespace("ip", "link", "set", "bond7", "type", "bond", "xmit_hash_policy", policy).returncode, 0)
                told = json.loads(probe("--by", policy, "--members", "3", "--source-mac", mac, "--target-mac", TARGET_MAC, "--json", *self.FLOWS).stdout)
                before = self.sent()
                self.assertEqual(self.in_namespace("/usr/bin/python3", "-c", SEND.format(flows=16, packets=20)).returncode, 0)
                counted = [now - then for now, then in zip(self.sent(), before)]
                for member, flows in enumerate(told["spread"][0]["flows_on"]):
                    # The kernel's own few packets (neighbour discovery) also go somewhere.
                    self.assertLess(abs(counted[member] - 20 * flows), 10, f"{counted} sent, foretold {told['spread'][0]['flows_on']}")

    def test_a_wall_on_a_bond(self):
        wall = Wall(2, 2)
        told = json.loads(probe("--by", "layer3+4", "--members", "2", "--wall", wall.file, "--find", "--json").stdout)
        self.assertEqual(len(told["flows"]), 4)
        self.assertEqual(told["flows"][3]["to"], f"127.0.0.1:{wall.streaming['base_port'] + 6}")
        self.assertEqual(sum(told["spread"][0]["flows_on"]), 4)
        if "found" in told and told["found"]["flows_above_even"] == 0:
            wall.streaming |= {key: told["found"][key] for key in ("base_port", "source_port")}
            wall.write()
            again = json.loads(probe("--by", "layer3+4", "--members", "2", "--wall", wall.file, "--json").stdout)
            self.assertEqual(again["spread"][0]["flows_on"], [2, 2])

    def test_ports_that_cancel_out_and_ports_that_do_not(self):
        rule = ["--by", "layer3+4", "--members", "4", "--to", "10.0.0.2:50000-50014/2"]
        bad = json.loads(probe(*rule, "--from", "10.0.0.1:40000-40014/2", "--find", "--json").stdout)
        self.assertEqual(bad["spread"][0]["busiest_flows"], 8)
        ports = ",".join(map(str, bad["found"]["source_ports"]))
        good = json.loads(probe(*rule, "--from", f"10.0.0.1:{ports}", "--json").stdout)
        self.assertEqual(good["spread"][0]["flows_on"], [2, 2, 2, 2])

    def test_receive_queues(self):
        # Microsoft's first vector: 0x51ccc178 & 127 = 120, and entry 120 of 8 queues in turn is queue 0.
        told = json.loads(probe("--by", "rss", "--queues", "8", "--from", "66.9.149.187:2794", "--to", "161.142.100.80:1766", "--json").stdout)
        self.assertEqual((told["flows"][0]["hash"], told["flows"][0]["member"]), (0x51CCC178, 0))

    def test_routes_cannot_be_foretold(self):
        told = probe("--by", "ecmp", "--members", "2", "--from", "10.0.0.1:40000,40002", "--to", "10.0.0.2:50000")
        self.assertIn("cannot be predicted", told.stdout)
        self.assertIn("1.5", told.stdout)

    def test_wrong_input(self):
        for options, words in (
            (["--by", "layer3+4", "--members", "2"], "--wall FILE"),
            (["--by", "layer2", "--members", "2", *self.FLOWS], "--source-mac"),
            (["--by", "layer3+4", *self.FLOWS], "--members"),
            (["--by", "layer3+4", "--table", "0,1", *self.FLOWS], "--members"),
            (["--by", "ecmp", *self.FLOWS], "--members"),
            (["--interface", "no-such-nic", *self.FLOWS], "no-such-nic"),
            (["--by", "rss", "--queues", "2", "--key", "6d:5a", *self.FLOWS], "--key"),
        ):
            with self.subTest(words):
                result = probe(*options)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
                self.assertIn(words, result.stderr)
        self.assertEqual(probe("--by", "guess").returncode, 2)


if __name__ == "__main__":
    real_time.main(verbosity=2)
