"""deploy/slurm, on a cluster of three Debian hosts with Slurm from Debian's packages: an import of which a program and a host die has the bytes of one
process, and a wall of three nodes plays."""
import json
import pathlib
import re
import sys
import unittest

from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from debian_host import CACHE, DebianHost, Network, with_packages  # noqa: E402
from debian_packages import BUILT, dependencies, files  # noqa: E402
from wall import wait_until  # noqa: E402

NAMES = ["one", "two", "three"]
COMPONENTS = ["client", "common", "control", "ingest", "server"]
SHARDS = 6
SOURCE = ["lavfi:testsrc2=size=400x200:rate=30", "--frames", "240", "--wall", "/shared/wall.toml", "--name", "x"]
SLOW = ["--rate", "1MB/s"]  # so that a shard is caught in its middle


def slurm_conf(hosts):
    nodes = "".join(f"NodeName={host.name} NodeAddr={host.address} CPUs=2 State=UNKNOWN\n" for host in hosts)
    return f"""ClusterName=test
SlurmctldHost=one({hosts[0].address})
SlurmUser=slurm
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
AuthInfo=cred_expire=10
ReturnToService=2
SlurmdTimeout=10
MinJobAge=3600
SlurmdParameters=config_overrides
{nodes}PartitionName=wall Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def wall_file(hosts):
    nodes = "".join(f'[[node]]\nname = "{host.name}"\naddress = "{host.address}"\ntiles = [{{ column = {column}, row = 0 }}]\n' for column, host in enumerate(hosts))
    return f"""[wall]
name = "slurm"
columns = {len(hosts)}
rows = 1
tile_width = 128
tile_height = 200
frame_rate = 30
{nodes}[[server]]
name = "one"
control = "{hosts[0].address}:9010"
interfaces = ["{hosts[0].address}"]
[streaming]
playout_delay_ms = 1000
"""


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = CACHE / "slurm-shared"
        cls.shared.mkdir(exist_ok=True)
        network = Network()
        cls.addClassCleanup(network.end)
        lower = with_packages("slurm-wlm", "munge", lower=with_packages(*dependencies()))
        cls.hosts = []
        for name in NAMES:
            cls.hosts.append(DebianHost(name, lower, network=network, shared={"/packages": BUILT, "/shared": cls.shared}))
            cls.addClassCleanup(cls.hosts[-1].end)
        cls.one, cls.two, cls.three = cls.hosts
        key = cls.one.shell("base64 --wrap=0 /etc/munge/munge.key")
        for host in cls.hosts:
            host.check("dpkg", "--install", *(f"/packages/{file.name}" for file in files() if file.name.split("_")[0][len("lambdawall-"):] in COMPONENTS))
            host.write("/etc/hosts", "127.0.0.1 localhost\n" + "".join(f"{each.address} {each.name}\n" for each in cls.hosts))
            host.write("/etc/slurm/slurm.conf", slurm_conf(cls.hosts))
            host.shell(f"echo {key} | base64 --decode >/etc/munge/munge.key; systemctl restart munge")
        cls.one.check("systemctl", "restart", "slurmctld")
        for host in cls.hosts:
            host.check("systemctl", "restart", "slurmd")
        wait_until(lambda: cls.one.run("sinfo", "--noheader", "--Node", "--format=%T").stdout.split() == ["idle"] * 3, 60, "the cluster")
        cls.one.write("/shared/wall.toml", wall_file(cls.hosts))

    def setUp(self):
        self.one.shell("rm -rf /shared/work; install -d -o nobody -g nogroup /shared/work")
        self.work = self.shared / "work"

    def as_user(self, *command):
        return self.one.check("runuser", "-u", "nobody", "--", "env", "--chdir=/shared/work", *command)

    def states(self, job):
        return re.findall(r"JobState=(\w+)", self.one.run("scontrol", "--oneliner", "show", "job", job).stdout)

    def logs(self):
        return "".join(f"{file.name}:\n{file.read_text()}\n" for file in sorted(self.work.glob("slurm-*.out")))

    def wait_for(self, test, seconds, what):
        try:
            wait_until(test, seconds, what)
        except AssertionError as error:
            self.fail(f"{error}\n{self.one.run('scontrol', '--oneliner', 'show', 'job').stdout}\n{self.logs()}")

    def submit(self, *options):
        return self.as_user("/usr/share/lambdawall/slurm/ingest", str(SHARDS), *SOURCE, "--out", "/shared/work/a,/shared/work/b", *options).split()

    def same_as_one_process(self):
        self.as_user("wall-ingest", *SOURCE, "--out", "/shared/work/c,/shared/work/d")
        for sharded, single in (("a", "c"), ("b", "d")):  # but for the store's random id
            self.one.check("diff", "--recursive", "--exclude=visualization.json", "--exclude=stripe.json", f"/shared/work/{sharded}/x", f"/shared/work/{single}/x")
        self.one.check("wall-ingest", "--verify", "/shared/work/a/x")

    def imports_on(self, host):
        """The processes, as the host counts."""
        return host.shell("grep --files-with-matches ^wall-ingest /proc/[0-9]*/comm 2>/dev/null | cut --delimiter=/ --fields=3 || true").split()

    def test_2_wrong_input_is_named(self):
        """By the shards, and by the job that joins. When it is corrected, they are run again."""
        array, join = self.as_user("/usr/share/lambdawall/slurm/ingest", "2", "/shared/work/images", "--wall", "/shared/wall.toml", "--name", "x", "--out", "/shared/work/a").split()
        self.wait_for(lambda: self.states(join) == ["FAILED"], 60, "the join")
        self.assertEqual(self.states(array), ["FAILED"] * 2)
        for job in (f"{array}_1", f"{array}_2", join):
            self.assertIn("/shared/work/images", (self.work / f"slurm-{job}.out").read_text())
        images = self.work / "images"
        images.mkdir()
        for number in range(8):
            Image.new("RGB", (384, 200), (number, 0, 0)).save(images / f"{number}.png")
        for jobs in ([f"{array}_1", f"{array}_2"], [join]):
            for job in jobs:
                self.as_user("scontrol", "requeue", job)
            self.wait_for(lambda: {state for job in jobs for state in self.states(job)} == {"COMPLETED"}, 200, str(jobs))
        self.one.check("wall-ingest", "--verify", "/shared/work/a/x")

    def test_0_wrong_usage(self):
        for arguments in ([], ["none", "x"], ["0", "x"], ["3"]):
            refused = self.one.run("/usr/share/lambdawall/slurm/ingest", *arguments)
            self.assertEqual((refused.returncode, refused.stdout), (2, ""))

    def test_3_import_of_which_a_program_and_a_host_die(self):
        array, join = self.submit(*SLOW)
        self.wait_for(lambda: len(list((self.work / "a/.x.partial").glob("shard-*.json"))) == SHARDS, 60, "the shards")
        self.one.shell(f"kill -KILL {self.imports_on(self.one)[0]}")
        self.assertNotEqual(self.imports_on(self.three), [])
        self.three.stop()
        self.wait_for(lambda: self.states(join) == ["COMPLETED"], 300, "the join")
        self.assertEqual(set(self.states(array)), {"COMPLETED"})
        self.assertEqual(self.logs().count("is repeated"), 1, "the program that was killed")
        restarted = re.findall(r"JobName=lambdawall-shard .*Restarts=[^0]", self.one.check("scontrol", "--oneliner", "show", "job", array))
        self.assertGreater(len(restarted), 1, "that one, and those of the host")
        self.same_as_one_process()

    def test_1_wall_as_a_job(self):
        self.as_user("wall-ingest", *SOURCE, "--out", "/shared/work/content")
        job = self.as_user("sbatch", "--parsable", "--nodelist=one,two,three", "/usr/share/lambdawall/slurm/wall.sbatch", "/shared/wall.toml", "/shared/work/content", "--play", "x").strip()

        def complete():
            stats = self.one.run("wall-control", "--state", "/tmp/state", "--call", "stats").stdout
            tiles = [tile for node in json.loads(stats)["nodes"] for tile in node.get("report", {}).get("tiles", [])] if stats else []
            return len(tiles) == 3 and all(tile["shown_whole"] >= 30 for tile in tiles)
        self.wait_for(complete, 60, "a second of frames on three nodes")
        self.as_user("scancel", job)
        self.wait_for(lambda: self.states(job)[0] in ("CANCELLED", "COMPLETED"), 60, "the end of the job")
        for host in self.hosts:
            self.wait_for(lambda: "wall-" not in host.shell("cat /proc/[0-9]*/comm 2>/dev/null || true"), 30, f"the end of the programs on {host.name}")
        self.wait_for(lambda: not (self.work / f"wall-{job}").exists(), 10, "the end of the tokens")


if __name__ == "__main__":
    unittest.main(verbosity=2)
