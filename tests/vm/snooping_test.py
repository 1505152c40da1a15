"""Multicast on a switch that listens to IGMP (the kernel's bridge): a group's packets reach the ports of its members, and no others. docs/operations.md says what a switch needs for that."""
import pathlib
import re
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from wall import run, start, stop, wait_until  # noqa: E402

GROUP, PORT, PACKETS = "239.255.7.1", 50000, 200
HOSTS = ("sender", "member", "other")
QUERIER_READY_S = 11  # a querier first listens for others, for a response interval
SEND = f"""
import socket, time
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 4)
udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("10.88.0.1"))
for _ in range({PACKETS}):
    udp.sendto(b"x" * 1000, ("{GROUP}", {PORT}))
    time.sleep(0.002)
"""
# Joins for one source, as a wall's receivers do; says how many packets came within its time.
JOIN = f"""
import socket, sys
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("{GROUP}", {PORT}))
udp.setsockopt(socket.IPPROTO_IP, 39, socket.inet_aton("{GROUP}") + socket.inet_aton("10.88.0.2") + socket.inet_aton("10.88.0.1"))  # IP_ADD_SOURCE_MEMBERSHIP
print("joined", flush=True)
udp.settimeout(float(sys.argv[1]))
count = 0
try:
    while True:
        udp.recv(2000)
        count += 1
except TimeoutError:
    print(count)
"""


class Snooping(unittest.TestCase):
    def ip(self, *words):
        done = run("ip", *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def setUp(self):
        """Three hosts at a bridge."""
        self.ip("link", "add", "switch", "type", "bridge", "mcast_snooping", 1, "mcast_querier", 1, "mcast_igmp_version", 3)
        self.addCleanup(self.ip, "link", "del", "switch")
        self.ip("link", "set", "switch", "up")
        for number, host in enumerate(HOSTS, 1):
            self.ip("netns", "add", host)
            self.addCleanup(self.ip, "netns", "del", host)
            self.ip("link", "add", f"port-{host}", "type", "veth", "peer", "name", "eth0", "netns", host)
            self.ip("link", "set", f"port-{host}", "master", "switch", "up")
            self.ip("-n", host, "address", "add", f"10.88.0.{number}/24", "dev", "eth0")
            self.ip("-n", host, "link", "set", "eth0", "up")
        time.sleep(QUERIER_READY_S)

    def arrived(self, host):
        """Large packets that the switch sent to the host: its own few are small."""
        text = pathlib.Path(f"/sys/class/net/port-{host}/statistics/tx_bytes").read_text()
        return int(text) // 1042

    def send_to_group(self):
        before = {host: self.arrived(host) for host in HOSTS}
        done = run("ip", "netns", "exec", "sender", "/usr/bin/python3", "-c", SEND)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {host: self.arrived(host) - before[host] for host in HOSTS}

    def join(self, seconds):
        member = start("ip", "netns", "exec", "member", "/usr/bin/python3", "-c", JOIN, seconds, stdout=subprocess.PIPE, text=True)
        self.addCleanup(stop, member)
        self.assertEqual(member.stdout.readline().strip(), "joined")
        wait_until(lambda: re.search(rf"port-member.*{re.escape(GROUP)}", run("bridge", "mdb", "show").stdout), 20, "the switch to learn of the member")
        return member

    def test_only_the_member_gets_the_group(self):
        member = self.join(5)
        got = self.send_to_group()
        count = int(member.stdout.readline())
        print(f"{PACKETS} packets sent: the member got {count}; by port {got}")
        self.assertEqual(count, PACKETS)
        self.assertLess(got["other"], PACKETS // 20)

    def test_without_a_querier_every_port_gets_it(self):
        """Why operations.md asks for one: a switch that hears no queries does not know where members are, and floods."""
        self.ip("link", "set", "switch", "type", "bridge", "mcast_querier", 0)
        got = self.send_to_group()
        print(f"without a querier, by port {got}")
        self.assertGreaterEqual(got["other"], PACKETS)


if __name__ == "__main__":
    unittest.main(verbosity=2)
