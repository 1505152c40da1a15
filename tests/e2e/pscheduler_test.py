"""The plugin for pScheduler with real programs: this test plays pScheduler's part for two hosts, as its description has it (JSON in, JSON out, one program per method), and
judges the result by the test's own schema and by what the kernel counted."""
import concurrent.futures
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
import throughput_schema  # noqa: E402
from hosts import Host  # noqa: E402
from wall import free_ports, free_tcp_port, port_open, program, start, stop, wait_until  # noqa: E402

METHODS = pathlib.Path(__file__).resolve().parents[2] / "deploy/pscheduler/wall-probe"
LEAD_S = 0.5  # from the last preparation to the start of a run


class Participant:
    """A host with pScheduler and the plugin."""

    def __init__(self, folder, inside=(), **settings):
        self.inside = list(inside)
        self.conf = folder / f"{len(list(folder.iterdir()))}.conf"
        self.conf.write_text("[wall-probe]\n" + "".join(f"{name} = {value}\n" for name, value in {"command": program("wall-probe"), **settings}.items() if value is not None))

    def call(self, method, given, status=0, timeout=60):
        done = subprocess.run([*self.inside, "env", f"WALL_PROBE_CONF={self.conf}", str(METHODS / method)], input=json.dumps(given), capture_output=True, text=True, timeout=timeout)
        assert done.returncode == status, f"{method}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return json.loads(done.stdout) if status == 0 else done.stderr


def seconds(duration):
    assert duration.startswith("PT") and duration.endswith("S"), duration
    return int(duration[2:-1])


class PScheduler(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """The destination is in its own network namespace, if this host lets us create one."""
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        try:
            cls.host = Host(0)
        except (OSError, AssertionError):
            cls.host = None
        cls.dest = cls.host.address if cls.host else "127.0.0.1"
        cls.port = free_tcp_port()
        # Below the ports that the kernel gives to connections, one of which could still hold the default.
        cls.here = Participant(folder, base_port=free_ports(8))
        cls.there = Participant(folder, cls.host.inside if cls.host else (), port=cls.port, base_port=free_ports(8))

    @classmethod
    def tearDownClass(cls):
        if cls.host:
            stop(cls.host.holder)
        cls.folder.cleanup()

    def play(self, participants=None, **fields):
        """A task from can-run to the merged result."""
        participants = participants or [self.here, self.there]
        test = {"type": "throughput", "spec": {"schema": 7, "dest": self.dest, "link-rtt": "PT0.001S", **{name.replace("_", "-"): value for name, value in fields.items()}}}
        for participant in participants:
            self.assertEqual(participant.call("can-run", test), {"can-run": True})
        reserved = seconds(participants[0].call("duration", test)["duration"])
        data = [participant.call("participant-data", {"participant": number, "test": test}) for number, participant in enumerate(participants)]
        begin = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=LEAD_S)
        schedule = {"start": begin.isoformat(), "duration": f"PT{reserved}S"}
        with concurrent.futures.ThreadPoolExecutor() as pool:
            runs = [pool.submit(participant.call, "run", {"schema": 1, "task-uuid": "0", "schedule": schedule, "test": test, "participant": number, "participant-data": data}, timeout=reserved + 5)
                    for number, participant in enumerate(participants)]
            results = [run.result() for run in runs]
        self.assertLess(time.time() - begin.timestamp(), reserved)
        merged = participants[0].call("merged-results", {"test": test, "results": results})
        jsonschema.validate(merged, throughput_schema.RESULT)
        return merged

    def succeeded(self, **fields):
        merged = self.play(**fields)
        self.assertTrue(merged["succeeded"], merged.get("error", "") + merged["diags"])
        return merged

    def kernel_packets(self):
        """That this host gave to its end of the cable."""
        return int(pathlib.Path(f"/sys/class/net/{self.host.cable}/statistics/tx_packets").read_text())

    def test_udp(self):
        before = self.kernel_packets() if self.host else None
        merged = self.succeeded(udp=True, bandwidth=20_000_000, parallel=2, duration="PT2S", ip_tos=184)
        summary, streams = merged["summary"]["summary"], merged["summary"]["streams"]
        self.assertEqual([stream["stream-id"] for stream in streams], [0, 1])
        self.assertAlmostEqual(summary["receiver-throughput-bits"], 40e6, delta=2e6)
        self.assertEqual(summary["lost"], 0)
        self.assertGreater(summary["jitter"], 0)
        self.assertEqual(len(merged["intervals"]), 2)
        self.assertIn("wall-probe run", merged["diags"])
        if before is not None:
            self.assertEqual(merged["mtu"], 1500)
            self.assertIn("-l 1472", merged["diags"])
            # Segmented by the interface or not, the cable carries at most the packets that were sent and what signals them, and a segment has at most 64.
            carried = self.kernel_packets() - before
            self.assertGreaterEqual(carried, summary["sent"] / 64)
            self.assertLess(carried, 1.1 * summary["sent"] + 500)

    def test_tcp_backwards(self):
        merged = self.succeeded(reverse=True, bandwidth=50_000_000, duration="PT1S", omit="PT1S", window_size=1 << 20)
        summary = merged["summary"]["summary"]
        self.assertAlmostEqual(summary["receiver-throughput-bits"], 50e6, delta=12e6)
        self.assertIn("retransmits", summary)
        self.assertEqual({"sent", "lost", "jitter"} & set(summary), set())
        self.assertEqual(merged["requested-tcp-window-size"], 1 << 20)

    def test_loopback_and_single_ended(self):
        merged = self.succeeded(participants=[self.here], loopback=True, udp=True, bandwidth=5_000_000, duration="PT1S")
        self.assertAlmostEqual(merged["summary"]["summary"]["throughput-bits"], 5e6, delta=1e6)
        port = free_tcp_port()
        server = start(program("wall-probe"), "serve", "--listen", f"127.0.0.1:{port}", stderr=subprocess.DEVNULL)
        self.addCleanup(stop, server)
        wait_until(lambda: port_open(f"127.0.0.1:{port}"), 10, "wall-probe serve")
        merged = self.succeeded(participants=[self.here], dest="127.0.0.1", single_ended=True, single_ended_port=port, bandwidth=20_000_000, duration="PT1S")
        self.assertEqual(len(merged["intervals"]), 1)

    def test_failures_end_in_time_and_say_why(self):
        """The destination's port is taken by another program, which is not wall-probe; the merged result has what each participant says."""
        taken = Participant(pathlib.Path(self.folder.name), port=free_tcp_port())
        blocker = start(sys.executable, "-c", f"import socket, time; s = socket.create_server(('127.0.0.1', {self.port_of(taken)})); print(flush=True); time.sleep(60)", stdout=subprocess.PIPE)
        self.addCleanup(blocker.stdout.close)
        self.addCleanup(stop, blocker)
        blocker.stdout.readline()
        merged = self.play(participants=[self.here, taken], dest="127.0.0.1", duration="PT1S")
        self.assertFalse(merged["succeeded"])
        self.assertIn("Participant 0: ", merged["error"])
        self.assertIn("Participant 1: nobody measured", merged["error"])
        self.assertIn("in use", merged["diags"])

    @staticmethod
    def port_of(participant):
        return int(participant.conf.read_text().split("port = ")[1].split()[0])

    def test_what_wall_probe_refuses_cannot_run(self):
        answer = self.here.call("can-run", {"type": "throughput", "spec": {"dest": "h", "udp": True, "buffer-length": 100}})
        self.assertEqual(answer["can-run"], False)
        self.assertIn("datagram_bytes", answer["reasons"][0])
        missing = Participant(pathlib.Path(self.folder.name), command="/nonexistent/wall-probe").call("can-run", {"type": "throughput", "spec": {"dest": "h"}})
        self.assertIn("install wall-probe", missing["reasons"][0])
        test = {"type": "throughput", "spec": {"dest": self.dest, "mss": 1400}}
        self.assertIn("mss", self.here.call("duration", test, status=2))
        self.assertIn("participant 2", self.here.call("participant-data", {"test": {"type": "throughput", "spec": {"dest": self.dest}}, "participant": 2}, status=2))
        self.assertIn("1 results of 2", self.here.call("merged-results", {"test": {"type": "throughput", "spec": {"dest": self.dest}}, "results": [None]}, status=1))

    def test_without_a_command_it_finds_the_program_on_path(self):
        """The Debian package installs another folder than `install` does."""
        folder = pathlib.Path(self.folder.name) / "bin"
        folder.mkdir()
        (folder / "wall-probe").symlink_to(program("wall-probe"))
        refused = {"type": "throughput", "spec": {"dest": "h", "udp": True, "buffer-length": 100}}
        here = Participant(pathlib.Path(self.folder.name), ["env", f"PATH={folder}:/usr/bin:/bin"], command=None)
        self.assertIn("datagram_bytes", here.call("can-run", refused)["reasons"][0])

    def test_enumerate(self):
        tool = self.here.call("enumerate", {})
        self.assertEqual((tool["name"], tool["tests"], tool["schema"]), (METHODS.name, ["throughput"], 1))
        self.assertEqual(set(tool), {"schema", "name", "description", "version", "tests", "preference", "maintainer"})


if __name__ == "__main__":
    real_time.main(verbosity=2)
