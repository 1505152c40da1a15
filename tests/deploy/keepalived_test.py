"""The control address that moves: two servers on hosts made of network namespaces, and Debian's keepalived with the configuration
of deploy/keepalived on both. The address is where the coordinator is: before and after it is killed, and when an administrator
chooses the other one."""
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from hosts import Namespace, ip  # noqa: E402
from pictures import make_source  # noqa: E402
from wall import Wall, program, run, start, stop, wait_until  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
NETWORK = f"10.{100 + os.getpid() % 100}.77."
MOVING = NETWORK + "100"


class Host(Namespace):
    """With an address on a switch."""

    def __init__(self, name, address, switch):
        super().__init__()
        self.name, self.address = name, address
        cable = f"{switch.name}{name}"
        ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", self.holder.pid)
        ip("link", "set", cable, "master", switch.name, "up")
        self.ip("address", "add", address + "/24", "dev", "eth0")
        for device in ("eth0", "lo"):
            self.ip("link", "set", device, "up")

    def has(self, address):
        return f"inet {address}/" in self.ip("address", "show", "dev", "eth0")


class Switch:
    def __init__(self):
        self.name = f"lw{os.getpid()}"
        ip("link", "add", self.name, "type", "bridge")
        ip("address", "add", NETWORK + "1/24", "dev", self.name)
        ip("link", "set", self.name, "up")

    def remove(self):
        run("ip", "link", "del", self.name)


class Keepalived(unittest.TestCase):
    def setUp(self):
        self.processes, self.hosts = [], {}
        try:
            self.switch = Switch()
            self.addCleanup(self.switch.remove)
            for number, name in enumerate("ab"):
                self.hosts[name] = Host(name, f"{NETWORK}{11 + number}", self.switch)
        except (OSError, AssertionError) as error:
            self.skipTest(f"this host lets us make no network namespaces: {error}")
        self.addCleanup(lambda: [stop(process) for process in self.processes[::-1] + [host.holder for host in self.hosts.values()]])
        self.make_wall()

    def make_wall(self):
        self.wall = wall = Wall(1, 1, nodes={"node": [(0, 0)]})
        make_source(wall.folder / "source", wall.picture, 30)
        wall.ingest(wall.folder / "source", "film", "--rate", "30")
        text = wall.file.read_text()
        begin, end = text.index("[[server]]"), text.index("[streaming]")
        a, b = self.hosts["a"].address, self.hosts["b"].address
        text = (text[:begin] + f'[[server]]\nname = "a"\ncontrol = "{a}:9010"\ninterfaces = ["{a}"]\n'
                f'[[server]]\nname = "b"\ncontrol = "{b}:9010"\ninterfaces = ["{b}"]\nstandby_for = "a"\n' + text[end:])
        wall.file.write_text(text.replace('address = "127.0.0.1"', f'address = "{NETWORK}1"'))
        for name, other in ("ab", "ba"):
            made = run(program("wall-server"), "--state", wall.folder / name, "--add-token", other, "--role", "server")
            self.assertEqual(made.returncode, 0, made.stderr)
            tokens = wall.folder / f"tokens-{other}"
            tokens.mkdir(mode=0o700)
            (tokens / name).write_text(made.stdout.split()[-1] + "\n")
            (tokens / name).chmod(0o600)

    def serve(self, name):
        host, folder = self.hosts[name], self.wall.folder
        process = start(*host.inside, program("wall-server"), "--wall", self.wall.file, "--server", name, "--content", self.wall.content, "--state", folder / name,
                        "--server-tokens", folder / f"tokens-{name}", "--control-address", MOVING + ":9010")
        self.processes.append(process)
        wait_until(lambda: self.get(name, "healthz")[0] == 0 or process.poll() is not None, 10, "server " + name)
        return process

    def keep(self, name):
        host, folder = self.hosts[name], self.wall.folder
        text = (ROOT / "deploy/keepalived/keepalived.conf").read_text().replace("10.1.0.100/24", MOVING + "/24")
        file = folder / f"keepalived-{name}.conf"
        file.write_text(text)
        pids = [f"--{kind}={folder}/{name}-{number}.pid" for number, kind in enumerate(("pid", "vrrp_pid", "checkers_pid"))]
        self.processes.append(start(*host.inside, "keepalived", "--dont-fork", "--log-console", "--vrrp", f"--use-file={file}", *pids,
                                    stdout=subprocess.DEVNULL, stderr=(folder / f"{name}.log").open("w")))

    def get(self, name, path, address="127.0.0.1", scheme="http"):
        done = run(*self.hosts[name].inside, "curl", "--silent", "--insecure", "--fail", "--max-time", "2", f"{scheme}://{address}:9010/{path}")
        return done.returncode, done.stdout

    def where(self):
        return "".join(name for name, host in self.hosts.items() if host.has(MOVING))

    def test_the_address_is_where_the_coordinator_is(self):
        servers = {name: self.serve(name) for name in "ab"}
        for name in "ab":
            self.keep(name)
        wait_until(lambda: self.where() == "a", 20, "the address to come to a")
        wait_until(lambda: self.get("b", "healthz", MOVING, "https") == (0, "ok\n"), 10, "the other host to reach it there")
        servers["a"].kill()
        servers["a"].wait()
        wait_until(lambda: self.where() == "b", 20, "the address to move to b")
        wait_until(lambda: self.get("a", "healthz", MOVING, "https") == (0, "ok\n"), 10, "the other host to reach it there")
        servers["a"] = self.serve("a")
        wait_until(lambda: self.get("a", "coordinates")[0] != 0, 5, "a to follow")
        self.assertEqual(self.where(), "b")
        chosen = run(*self.hosts["a"].inside, program("wall-control"), "--connect", "127.0.0.1:9010", "--call", "coordinate")
        self.assertEqual(chosen.returncode, 0, chosen.stderr)
        wait_until(lambda: self.where() == "a", 20, "the address to move back")


if __name__ == "__main__":
    real_time.main(verbosity=2)
