"""deploy/ansible: a wall of two servers, two nodes and a desk, and a site with a relay and a node, are set up from bare Debian hosts, play, are watched by Prometheus,
and are updated host by host while the wall plays. Wrong plans and hosts that are down are reported before anything is changed."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from debian_host import CACHE, ROOT, DebianHost, Network, checked, with_packages  # noqa: E402
from debian_packages import BUILT, dependencies, older, version  # noqa: E402
from wall import wait_until  # noqa: E402

SERVERS = ["a", "b"]
NODES = ["left", "right"]
NAMES = [*SERVERS, *NODES, "relay", "there", "desk"]  # "there" is the node of the site "far"
NEWER = "9.0.0"
TO_LOOPBACK = ("wall-control", "--connect", "127.0.0.1:9010", "--state", "/tmp/state", "--call")


def changes(text):
    """What ansible-playbook reports: {host: [task that changed it, ...]}."""
    hosts = {host: [] for host in re.findall(r"^(\S+)\s+: ok=", text, re.M)}
    for part in re.split(r"^(?:TASK|RUNNING HANDLER) ", text, flags=re.M)[1:]:
        for host in set(re.findall(r"^changed: \[(\w+)", part, re.M)):
            hosts[host].append(re.match(r"\[(.*?)\]", part).group(1))
    return hosts


class Ansible(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = CACHE / "ansible"
        shutil.rmtree(cls.folder, ignore_errors=True)
        cls.folder.mkdir()
        network = Network()
        cls.addClassCleanup(network.end)
        lower = with_packages("openssh-server", "python3", "python3-apt", "prometheus", "curl", lower=with_packages(*dependencies()))
        checked("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", cls.folder / "key")
        cls.hosts = {}
        for name in NAMES:
            host = cls.hosts[name] = DebianHost(name, lower, network=network)
            cls.addClassCleanup(host.end)
            host.write("/root/.ssh/authorized_keys", (cls.folder / "key.pub").read_text(), 0o600)
            # A network namespace does not have these settings; files stand in for them. The lists of packages are those of the host's layer.
            host.shell("""touch /var/lib/apt/lists
                for setting in rmem_max wmem_max; do
                  echo 212992 >/run/$setting
                  mount --bind /run/$setting /proc/sys/net/core/$setting
                done""")

    def setUp(self):
        self.write_wall_file()
        self.write_inventory()

    def address(self, name):
        return self.hosts[name].address

    def write_wall_file(self, more=""):
        parts = [f'[wall]\nname = "ansible"\ncolumns = 2\nrows = 1\ntile_width = 320\ntile_height = 200\nframe_rate = 30\n[streaming]\nplayout_delay_ms = 500\n{more}']
        for column, name in enumerate(NODES):
            parts.append(f'[[node]]\nname = "{name}"\naddress = "{self.address(name)}"\ntiles = [{{ column = {column}, row = 0 }}]\n')
        for column, name in enumerate(SERVERS):
            parts.append(f'[[server]]\nname = "{name}"\ncontrol = "{self.address(name)}:9010"\ninterfaces = ["{self.address(name)}"]\ntiles = [{{ column = {column} }}]\n')
        parts.append(f'[[site]]\nname = "far"\naddress = "{self.address("relay")}"\n[[site.node]]\nname = "there"\naddress = "{self.address("there")}"\n'
                     f'tiles = [{", ".join(f"{{ column = {column}, row = 0, window = [{320 * column}, 0] }}" for column in range(2))}]\n')
        (self.folder / "wall.toml").write_text("".join(parts))

    def write_inventory(self, packages=BUILT, node="right", site="far"):
        lines = ["[servers]", *SERVERS, "[nodes]", "left", node, "there", "[relays]", "relay", "[relays:vars]", f"lambdawall_site={site}", "[desks]", "desk", "[monitoring]", "desk", "[all:vars]", "ansible_user=root",
                 f"ansible_ssh_private_key_file={self.folder}/key", "ansible_ssh_common_args=-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o ConnectTimeout=5",
                 f"lambdawall_packages={packages}", "lambdawall_wall=wall.toml", "lambdawall_headless=true", ""]
        text = "\n".join(lines)
        for name in NAMES:
            text = text.replace(f"\n{name}\n", f"\n{name} ansible_host={self.address(name)}\n", 1)
        (self.folder / "hosts.ini").write_text(text)

    def playbook(self, *options):
        done = subprocess.run(["ansible-playbook", "-i", self.folder / "hosts.ini", "site.yml", *options], cwd=ROOT / "deploy/ansible", capture_output=True, text=True, timeout=1200)
        return done.returncode, done.stdout, done.stderr

    def applied(self, *options):
        status, text, errors = self.playbook(*options)
        self.assertEqual(status, 0, text[-6000:] + errors[-3000:])
        return changes(text)

    def refused(self, *words):
        """One error with these words, and no host was changed."""
        status, text, errors = self.playbook()
        self.assertEqual(status, 2, text + errors)
        failures = re.findall(r"^fatal: .*?(?=^$|\Z)", text, re.M | re.S)
        self.assertEqual(len(failures), 1, text)
        for word in words:
            self.assertIn(word, failures[0])
        self.assertEqual([tasks for tasks in changes(text).values() if tasks], [], text)

    def stats(self):
        text = self.hosts["a"].run(*TO_LOOPBACK, "stats").stdout
        return {node["node"]: node for node in json.loads(text)["nodes"]} if text else {}

    def shown(self, name):
        return sum(tile["shown_whole"] for tile in self.stats().get(name, {}).get("report", {}).get("tiles", []))

    def pids(self, names, service):
        return [self.hosts[name].check("systemctl", "show", "--value", "--property=MainPID", service.replace("NAME", name)).strip() for name in names]

    def test_a_wall_from_bare_hosts(self):
        self.wrong_plans()
        self.a_node_is_down()
        self.assertEqual(self.applied(), {name: [] for name in NAMES}, "run again")
        self.is_set_up()
        self.plays()
        self.is_watched()
        self.nodes_are_updated()
        self.the_relay_is_updated()
        self.servers_are_updated()
        self.wall_file_changes()
        self.a_server_is_down()

    def wrong_plans(self):
        (self.folder / "wall.toml").write_text((self.folder / "wall.toml").read_text().replace("tile_height", "tile_hight"))
        self.refused("wall.toml:6: ", "tile_hight")
        (self.folder / "wall.toml").unlink()
        self.refused("wall.toml")
        self.write_wall_file()
        self.write_inventory(node="rihgt")
        self.refused("rihgt", "servers: a, b", "nodes: left, right, there")
        self.write_inventory(site="near")
        self.refused("relay: ", "no site with a relay of the name near", "sites with relays: far")
        self.write_inventory(packages=self.folder)
        self.refused(str(self.folder), "scripts/package")
        self.write_inventory()
        (self.folder / "wall.toml").write_text((self.folder / "wall.toml").read_text().replace(f'"{self.address("b")}:9010"', '"127.0.0.1:9011"'))
        self.refused("b: ", "loopback")
        self.write_wall_file()
        for host in self.hosts.values():
            self.assertEqual(host.run("dpkg-query", "--show", "lambdawall-*").stdout, "")
            self.assertEqual(host.run("ls", "/etc/lambdawall").stdout, "")

    def a_node_is_down(self):
        """The others are set up; the end names it, and it follows by itself."""
        self.hosts["right"].check("ip", "link", "set", "eth0", "down")
        status, text, errors = self.playbook()
        self.assertEqual(status, 2, text[-6000:] + errors)
        self.assertIn(f"right ({self.address('right')}) does not answer", text)
        self.assertEqual(re.findall(r"^(\w+) .*failed=[^0]", text, re.M), ["right"], text[-6000:])
        wait_until(lambda: self.stats().get("left", {}).get("connected"), 30, "the other node")
        self.hosts["right"].check("ip", "link", "set", "eth0", "up")
        self.assertEqual(list(self.applied("--limit", "right")), ["right"])

    def is_set_up(self):
        wait_until(lambda: [self.stats().get(name, {}).get("connected") for name in NODES] == [True, True], 30, "the nodes, over TLS and with tokens")
        for name in NODES:
            host = self.hosts[name]
            self.assertEqual(host.check("stat", "--format=%a %U", "/etc/lambdawall/client.env"), "600 root\n")
            self.assertEqual(host.read("/run/rmem_max"), "4194304\n")
            self.assertIn("net.core.rmem_max = 4194304\n", host.read("/etc/sysctl.d/90-lambdawall.conf"))
            self.assertEqual(len(host.shell("ls /root/undo-wall-probe-doctor-*").split()), 1)
        for name in NAMES:
            self.assertEqual(self.hosts[name].read("/etc/lambdawall/wall.toml"), (self.folder / "wall.toml").read_text())
        self.assertEqual(self.hosts["desk"].check("stat", "--format=%a %U:%G", "/etc/lambdawall/desk.token"), "640 root:lambdawall\n")
        for name in ("relay", "there"):  # they have no control connection, and so no token
            self.assertEqual(self.hosts[name].run("ls", "/etc/lambdawall").stdout, "wall.toml\n")

    def desk(self, *call):
        return self.hosts["desk"].run("wall-control", "--connect", f"{self.address('a')}:9010", "--token-file", "/etc/lambdawall/desk.token", "--ca", "/etc/lambdawall/servers.crt",
                                      "--state", "/tmp/state", "--call", *call)

    def plays(self):
        for name in SERVERS:
            self.hosts[name].check("runuser", "-u", "lambdawall", "--", "wall-ingest", "lavfi:testsrc2=size=640x200:rate=30", "--frames", "60", "--wall", "/etc/lambdawall/wall.toml",
                                   "--out", "/srv/lambdawall", "--name", "test")
            wait_until(lambda: '"test"' in self.hosts[name].run(*TO_LOOPBACK, "list").stdout, 20, f"the content on {name}")
        self.assertEqual(self.desk("load", '{"name": "test"}').returncode, 0)
        self.assertEqual(self.desk("play").returncode, 0)
        for name in NODES:
            wait_until(lambda: self.shown(name) > 30, 30, f"frames on {name}")
        wait_until(lambda: self.heard() == len(SERVERS), 30, "reports of the site's node about each server's flow, through the relay")

    def heard(self):
        """Flows of all servers about which the site reports, as the coordinator knows."""
        text = self.hosts["a"].run(*TO_LOOPBACK, "stats").stdout
        return json.loads(text)["sites"][0]["flows_heard"] if text else 0

    def ask_prometheus(self, query):
        answer = self.hosts["desk"].run("curl", "--silent", "--get", "--data-urlencode", f"query={query}", "http://127.0.0.1:9090/api/v1/query").stdout
        return [sample["metric"] | {"value": sample["value"][1]} for sample in json.loads(answer)["data"]["result"]] if answer else []

    def is_watched(self):
        desk = self.hosts["desk"]
        desk.check("promtool", "check", "config", "/etc/prometheus/prometheus.yml")
        desk.check("promtool", "check", "service-discovery", "/etc/prometheus/prometheus.yml", "lambdawall-a")
        wait_until(lambda: [target["value"] for target in self.ask_prometheus('up{job="lambdawall"}')] == ["1", "1"], 30, "Prometheus")
        targets = [{key: target[key] for key in ("instance", "wall", "server", "coordinator")} for target in self.ask_prometheus('up{job="lambdawall"}')]
        expected = [{"instance": f"{self.address(name)}:9010", "wall": "ansible", "server": name, "coordinator": "true" if name == "a" else "false"} for name in SERVERS]
        self.assertEqual(sorted(targets, key=lambda target: target["server"]), expected)
        wait_until(lambda: [(each["node"], each["value"]) for each in self.ask_prometheus("sort(lambdawall_node_connected)")] == [(name, "1") for name in NODES], 30,
                   "each node once, from the coordinator")
        self.assertEqual(sorted(each["flow"] for each in self.ask_prometheus("lambdawall_sender_packets_total")), ["0", "1"])
        rules = json.loads(desk.check("curl", "--silent", "http://127.0.0.1:9090/api/v1/rules"))["data"]["groups"]
        self.assertEqual([group["name"] for group in rules], ["lambdawall"])

    def nodes_are_updated(self):
        """One after the other, while the wall plays."""
        newer = CACHE / "newer-packages"
        older(newer, NEWER)
        before, samples, ended = self.pids(NODES, "lambdawall-client@NAME"), [], threading.Event()

        def watch():
            while not ended.is_set():
                stats = self.stats()
                samples.append([stats.get(name, {}).get("connected", False) for name in NODES])
                time.sleep(0.1)
        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            self.write_inventory(packages=newer)
            self.applied("--limit", "nodes")
        finally:
            ended.set()
            watcher.join()
        for name in NODES:
            self.assertEqual(self.hosts[name].check("dpkg-query", "-W", "-f", "${Version}", "lambdawall-client"), NEWER)
            self.assertGreater(self.shown(name), 0)
        self.assertEqual([new for new, old in zip(self.pids(NODES, "lambdawall-client@NAME"), before) if new == old], [])
        self.assertNotIn([False, False], samples, "the wall was dark")
        self.assertGreater(len(samples), 10)

    def the_relay_is_updated(self):
        """The site is heard again afterwards."""
        before = self.pids(["relay"], "lambdawall-relay@far")
        self.assertEqual(list(self.applied("--limit", "relays")), ["relay"])
        self.assertEqual(self.hosts["relay"].check("dpkg-query", "-W", "-f", "${Version}", "lambdawall-relay"), NEWER)
        self.assertNotEqual(self.pids(["relay"], "lambdawall-relay@far"), before)
        self.assertEqual(self.heard(), len(SERVERS))

    def servers_are_updated(self):
        """They continue with what played. Packages of an older version are a way back."""
        for packages, number in ((CACHE / "newer-packages", NEWER), (BUILT, version())):
            self.write_inventory(packages=packages)
            self.applied()
            for name in SERVERS:
                self.assertEqual(self.hosts[name].check("dpkg-query", "-W", "-f", "${Version}", "lambdawall-server"), number)
            self.assertEqual(json.loads(self.desk("state").stdout)["status"], "playing")
            for name in NODES:
                wait_until(lambda: self.shown(name) > 0, 30, f"frames on {name}")

    def wall_file_changes(self):
        """Everything that uses it is started again; nothing else is changed."""
        running = lambda: [*self.pids(SERVERS, "lambdawall-server"), *self.pids([*NODES, "there"], "lambdawall-client@NAME"), *self.pids(["relay"], "lambdawall-relay@far")]
        before = running()
        self.write_wall_file("resend_percent = 30\n")
        for host, tasks in self.applied("--limit", "servers,relays,nodes").items():
            self.assertEqual(tasks, ["common : Copy the wall file", "common : Restart the services"], host)
        after = running()
        self.assertEqual([new for new, old in zip(after, before) if new == old], [])

    def a_server_is_down(self):
        self.hosts["b"].check("ip", "link", "set", "eth0", "down")
        status, text, errors = self.playbook()
        self.assertEqual(status, 2, text[-3000:] + errors)
        self.assertIn("b: this server does not answer", text)
        self.assertEqual([tasks for tasks in changes(text).values() if tasks], [], text[-3000:])


if __name__ == "__main__":
    unittest.main(verbosity=2)
