"""The Debian packages, on a Debian 12 that has their dependencies and nothing else: what they contain, how they install, play, upgrade and leave."""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from debian_host import CACHE, SLEEP, DebianHost, base, checked, files_of, with_packages  # noqa: E402
from debian_packages import BUILT, NAMES, ROOT, dependencies, files, older, version  # noqa: E402
from wall import wait_until  # noqa: E402

PROGRAMS = ["wall-client", "wall-control", "wall-ingest", "wall-probe", "wall-relay", "wall-samples", "wall-server"]
SERVICES = ["lambdawall-server", "lambdawall-client@left", "lambdawall-client@right", "lambdawall-relay@far"]
SITE = """
[[site]]
name = "far"
address = "127.0.0.2"
[[site.node]]
name = "far"
address = "127.0.0.3"
tiles = [{ column = 0, row = 0 }, { column = 1, row = 0, window = [656, 0] }, { column = 0, row = 1, window = [0, 416] }, { column = 1, row = 1, window = [656, 416] }]
"""
CONTROL = ["wall-control", "--state", "/tmp/state"]  # what it keeps is its user's
WALL = "/usr/share/lambdawall/walls/local-2x2.toml"


class Contents(unittest.TestCase):
    stall_max_s = float("inf")  # nothing in real time

    def test_names_and_version(self):
        """The version stands in CMakeLists.txt only."""
        shown = [checked("dpkg-deb", "--show", file).split() for file in files()]
        self.assertEqual(shown, [[name, version()] for name in NAMES])

    def test_lintian(self):
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", *files()], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_licences(self):
        """The program that links Debian's FFmpeg is under the GPL as a whole, and its package says so. No other links it."""
        for file in files():
            with self.subTest(file.name):
                name = file.name.split("_")[0]
                notice = checked("bash", "-c", f"dpkg-deb --fsys-tarfile {shlex.quote(str(file))} | tar --extract --to-stdout ./usr/share/doc/{name}/copyright")
                self.assertIn("Apache-2.0", notice)
                links = "libavcodec" in checked("dpkg-deb", "--field", file, "Depends")
                self.assertEqual((links, "GPL-3" in notice), (name == "lambdawall-ingest",) * 2)


class Life(unittest.TestCase):
    """Of the packages on one host, from the installation to the purge."""
    stall_max_s = 0.9  # the playout delay of the wall below, with room for a frame

    def setUp(self):
        old = CACHE / "older-packages"
        older(old, "0.0.1")
        self.host = DebianHost("packages", with_packages(*dependencies()), shared={"/packages": BUILT, "/older": old})
        self.addCleanup(self.host.end)

    def state(self, *units):
        return self.host.run("systemctl", "is-active", *units).stdout.split()

    def main_pids(self):
        return [self.host.check("systemctl", "show", "--value", "--property=MainPID", unit).strip() for unit in SERVICES]

    def apt(self, *words):
        return self.host.check("apt-get", "-qq", "-y", "--no-install-recommends", *words)

    def test_life(self):
        before = files_of(self.host)
        self.apt("install", *(f"/older/{file.name.replace(version(), '0.0.1')}" for file in files()))
        self.assertEqual(self.host.run("systemctl", "is-enabled", "lambdawall-server").stdout, "disabled\n")
        self.assertEqual(self.state("lambdawall-server", "lambdawall-probe"), ["inactive"] * 2, "a service began that nobody asked for")
        self.assertEqual(self.host.check("stat", "--format=%U:%G %a", "/srv/lambdawall").strip(), "lambdawall:lambdawall 755")
        self.programs()
        self.python()
        self.demo()
        self.upgrade()
        self.remove()
        self.host.check("dpkg", "--purge", *NAMES)
        left = files_of(self.host)
        self.assertEqual((sorted(left - before), sorted(before - left)), ([], []))

    def programs(self):
        """Each starts, has completions, and manual pages that are clean and that know its options; so has each subcommand."""
        for name in PROGRAMS:
            self.assertEqual(self.host.read(f"/usr/share/bash-completion/completions/{name}"), self.host.check(name, "--completion", "bash"))
            self.assertEqual(self.host.read(f"/usr/share/zsh/vendor-completions/_{name}"), self.host.check(name, "--completion", "zsh"))
        self.assertIn("Icon=lambdawall-control", self.host.read("/usr/share/applications/lambdawall-control.desktop"))
        self.assertIn("<svg", self.host.read("/usr/share/icons/hicolor/scalable/apps/lambdawall-control.svg"))
        subcommands = re.findall(r"^  ([a-z]+) ", self.host.check("wall-probe", "--help").split("Subcommands:")[1], re.M)
        self.assertIn("doctor", subcommands)
        for command in [[program] for program in PROGRAMS] + [["wall-probe", name] for name in subcommands]:
            with self.subTest(" ".join(command)):
                text = self.host.check(*command, "--help")
                page = self.host.check("zcat", f"/usr/share/man/man1/{'-'.join(command)}.1.gz")
                options = set(re.findall(r"--[a-z][a-z-]+", text))
                self.assertEqual(sorted(option for option in options if option not in page.replace("\\-", "-")), [])
                rendered = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", "-"], input=page, capture_output=True, text=True)
                self.assertEqual((rendered.returncode, rendered.stderr), (0, ""))

    def python(self):
        """The package for Python writes a store that wall-ingest verifies, with the Python and NumPy of Debian and nothing else."""
        self.host.write("/tmp/write.py", "import lambdawall, numpy\n"
                        f"wall = lambdawall.Wall.load('{WALL}')\n"
                        "with lambdawall.StoreWriter('/tmp', 'python', wall, frames=2) as store:\n"
                        "    for frame in store.remaining:\n"
                        "        store.write(numpy.full((wall.geometry.height, wall.geometry.width, 3), 99 + frame, dtype=numpy.uint8))\n")
        self.host.check("/usr/bin/python3", "/tmp/write.py")
        self.host.check("wall-ingest", "--verify", "/tmp/python")
        self.assertEqual(self.host.check("sh", "-c", "ls /usr/share/doc/python3-lambdawall/examples").split(), ["matplotlib_waves.py", "simulation.py", "watch.py"])
        self.host.check("rm", "-r", "/tmp/python", "/tmp/write.py")

    def demo(self):
        """The demo wall from nothing but packages: a test source is imported, and every frame is complete."""
        host = self.host
        host.write("/etc/lambdawall/wall.toml", host.read(WALL).replace("playout_delay_ms = 80 ", "playout_delay_ms = 1000 ") + SITE)
        host.write("/etc/systemd/system/lambdawall-client@.service.d/here.conf",
                   "[Service]\nExecStart=\nExecStart=wall-client --wall /etc/lambdawall/wall.toml --node %i --headless\n")
        host.check("runuser", "-u", "lambdawall", "--", "wall-ingest", "lavfi:testsrc2=size=1296x816:rate=30:duration=2", "--wall", "/etc/lambdawall/wall.toml", "--out", "/srv/lambdawall", "--name", "test")
        host.check("systemctl", "daemon-reload")
        host.check("systemctl", "enable", "--now", *SERVICES)
        self.playing()
        self.assertEqual(host.check("wall-probe", "doctor", "--wall", "/etc/lambdawall/wall.toml", "--json").count('"fail"'), 0)

    def frames(self):
        stats = json.loads(self.host.check(*CONTROL, "--call", "stats"))
        tiles = [tile for node in stats["nodes"] for tile in node.get("report", {}).get("tiles", [])]
        return [sum(tile[key] for tile in tiles) for key in ("frames_due", "shown_whole", "shown_concealed", "not_shown")]

    def playing(self):
        wait_until(lambda: self.state(*SERVICES) == ["active"] * len(SERVICES), 20, "the services")
        wait_until(lambda: self.host.run(*CONTROL, "--call", "load", '{"name": "test"}').returncode == 0, 20, "the server")
        self.host.check(*CONTROL, "--call", "play")
        wait_until(lambda: self.frames()[1] > 0, 20, "the first frame")
        first = self.frames()
        wait_until(lambda: self.frames()[0] - first[0] >= 4 * 60, 20, "two seconds of four tiles")
        due, complete, concealed, not_shown = (now - then for now, then in zip(self.frames(), first))
        self.assertEqual((concealed, not_shown), (0, 0), f"of {due} frames")
        self.assertGreaterEqual(complete, due - 4, "counted in the middle of a frame")

    def upgrade(self):
        """The services are started again; wall file, state and content stay; the server resumes."""
        pids, state = self.main_pids(), self.host.read("/etc/lambdawall/wall.toml")
        self.apt("install", *(f"/packages/{file.name}" for file in files()))
        shown = self.host.check("dpkg-query", "-W", "-f", "${Package} ${Version} ${db:Status-Status}\n", *NAMES)
        self.assertEqual(shown.splitlines(), [f"{name} {version()} installed" for name in NAMES])
        self.assertEqual(self.host.read("/etc/lambdawall/wall.toml"), state)
        wait_until(lambda: self.state(*SERVICES) == ["active"] * len(SERVICES), 20, "the services")
        self.assertEqual([new for new, old in zip(self.main_pids(), pids) if new == old], [], "an old program still runs")
        self.playing()

    def remove(self):
        self.apt("remove", *NAMES)
        processes = self.host.shell("cat /proc/[0-9]*/comm").split()
        self.assertIn("systemd", processes)
        self.assertEqual([name for name in processes if name.startswith("wall-")], [])
        self.assertEqual(self.host.read("/etc/lambdawall/wall.toml")[:5], "# Fou")
        # Content is the people's, so is what they wrote beside the package's files.
        self.host.shell("rm -r /srv/lambdawall/* /srv/lambdawall/.[a-z]* /etc/systemd/system/lambdawall-client@.service.d")


class ContentStays(unittest.TestCase):
    stall_max_s = float("inf")

    def test_a_purge_keeps_content_and_its_owner(self):
        with DebianHost("content", with_packages(*dependencies()), SLEEP, shared={"/packages": BUILT}) as host:
            host.check("dpkg", "--install", *(f"/packages/{file.name}" for file in files() if "common" in file.name))
            host.check("runuser", "-u", "lambdawall", "--", "mkdir", "/srv/lambdawall/mine")
            host.check("dpkg", "--purge", "lambdawall-common")
            self.assertEqual(host.check("stat", "--format=%U", "/srv/lambdawall/mine"), "lambdawall\n")


class Container(unittest.TestCase):
    """deploy/container/Containerfile, as far as it goes without a container engine: its lines, run one after the other on a bare Debian."""
    stall_max_s = float("inf")

    def stages(self):
        text = (ROOT / "deploy/container/Containerfile").read_text().replace("\\\n", " ")
        stages, lines = {}, None
        for line in filter(None, (line.split("#")[0].strip() for line in text.splitlines())):
            word, rest = line.split(None, 1)
            if word == "FROM":
                parent, _, name = rest.split()
                lines = stages[name] = list(stages.get(parent, []))
            else:
                lines.append((word, rest))
        return stages

    def build(self, stage, host):
        """Runs its lines; returns the entry point with its user and environment."""
        user, environment, entry = "root", [], None
        for word, rest in self.stages()[stage]:
            if word == "COPY":
                pattern, folder = rest.split()
                host.shell(f"mkdir -p {folder}; cp /context/{pattern} {folder}")
            elif word == "RUN":
                host.shell(rest, net=False)
            elif word == "USER":
                user = rest
            elif word == "ENV":
                environment.append(rest)
            elif word == "ENTRYPOINT":
                entry = json.loads(rest)
            else:
                self.assertIn(word, ("STOPSIGNAL", "VOLUME"))
        return ["runuser", "-u", user, "--", "env", *environment, *entry]

    def test_server_and_node(self):
        context = CACHE / "context"
        context.mkdir(exist_ok=True)
        (context / "packages").unlink(missing_ok=True)
        (context / "packages").symlink_to("/built")
        with DebianHost("server", [base()], SLEEP, shared={"/context": context, "/built": BUILT}) as server, \
                DebianHost("node", [base()], SLEEP, shared={"/context": context, "/built": BUILT}) as node:
            for host, stage, options, line in ((server, "server", [], "control plane at"), (node, "node", ["--node", "left"], "node left shows 2 tiles headless")):
                command = self.build(stage, host)
                host.write("/etc/lambdawall/wall.toml", (ROOT / "walls/local-2x2.toml").read_text())
                process = host.start(*command, *options, stderr=subprocess.PIPE, text=True)
                self.addCleanup(process.kill)
                for got in process.stderr:
                    if line in got:
                        break
                else:
                    self.fail(f"the {stage} ended with {process.wait()}")
                host.shell("for process in /proc/[0-9]*; do case $(cat $process/comm) in wall-*) kill ${process#/proc/} ;; esac; done")
                self.assertEqual(process.wait(10), 0)


if __name__ == "__main__":
    real_time.main()
