"""Faults of a node's network: its interface goes down and comes back, its MTU shrinks and grows again. The other node never notices. The
node is in a network namespace, at the end of its own cable."""
import pathlib
import socket
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from fault import Playing, told  # noqa: E402
from hosts import Host, ip, tunnel  # noqa: E402
from wall import Control, program, stop  # noqa: E402

RECOVERY_S = 3


class Network(unittest.TestCase):
    def setUp(self):
        self.playing = Playing(self)
        try:
            self.host = Host(9)
        except (OSError, AssertionError) as error:
            self.skipTest(f"this host lets us make no network namespaces: {error}")
        self.addCleanup(lambda: stop(self.host.holder))
        wall = self.playing.wall
        text = wall.file.read_text().replace('interfaces = ["127.0.0.1"]\n', "")
        name = 'name = "node-1-0"\naddress = '
        wall.file.write_text(text.replace(name + '"127.0.0.1"', f'{name}"{self.host.address}"'))
        self.cable("mtu", 9000)
        control_host, control_port = wall.control.rsplit(":", 1)
        listener = self.host.listen(control_host, int(control_port))
        self.addCleanup(listener.shutdown, socket.SHUT_RDWR)
        tunnel(listener, (control_host, int(control_port)))
        self.playing.client(0)
        self.playing.start(*self.host.inside, program("wall-client"), "--wall", wall.file, "--node", "node-1-0", "--headless")
        self.server = self.playing.server()
        self.playing.back()
        self.other_before = self.playing.tiles()[0]

    def cable(self, *what, inside=True):
        ip("link", "set", self.host.cable, *what)
        if inside:
            self.host.ip("link", "set", "eth0", *what)

    def others_played_on(self):
        tile = self.playing.tiles()[0]
        due, whole = (tile[key] - self.other_before[key] for key in ("frames_due", "shown_whole"))
        self.assertGreater(whole, 10)
        self.assertGreaterEqual(whole, 0.9 * due)  # a busy machine drops some by itself

    def test_the_interface_goes_down_and_comes_back(self):
        for device in ("the node's", "the server's"):
            if device == "the node's":
                self.host.ip("link", "set", "eth0", "down")
            else:
                ip("link", "set", self.host.cable, "down")
            time.sleep(1.5)
            self.cable("up")
            took = self.playing.back()
            told(self, f"{device} interface down for 1.5 s", recovery_s=took)
            self.assertLess(took, RECOVERY_S)
        self.others_played_on()
        control = Control(self.playing.wall.control)
        self.addCleanup(control.close)
        self.assertIn("loss-began", [event["code"] for event in control.call("subscribe", stats=False, events=True)["events"]])

    def test_the_mtu_shrinks_and_grows_again(self):
        """Packets larger than it are cut by the kernel on their way (IP fragments), and whole again when it has grown."""
        self.cable("mtu", 1500, inside=False)
        took = self.playing.back()
        told(self, "MTU from 9000 to 1500", recovery_s=took)
        self.assertLess(took, RECOVERY_S)
        self.cable("mtu", 9000)
        took = self.playing.back()
        self.assertLess(took, RECOVERY_S)
        self.others_played_on()

    def test_the_whole_network_is_changed(self):
        """The node's address disappears and returns, as when a cable moves to another port, or DHCP renews the address."""
        self.host.ip("address", "del", self.host.address + "/24", "dev", "eth0")
        time.sleep(1)
        self.host.ip("address", "add", self.host.address + "/24", "dev", "eth0")
        took = self.playing.back()
        told(self, "address taken away for 1 s", recovery_s=took)
        self.assertLess(took, RECOVERY_S)
        self.others_played_on()


if __name__ == "__main__":
    real_time.main()
