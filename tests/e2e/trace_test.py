"""`wall-probe trace`: the life of every frame, compared with what is known of it: a path of known delay, the figures of the same
wall, and the rules of the format that Perfetto reads."""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from clocks import WrongClock  # noqa: E402
from pictures import make_source  # noqa: E402
from wall import Wall, free_ports, free_tcp_port, in_windows, port_open, program, run, start, stop, stop_in_windows, wait_until  # noqa: E402

STAGES = ("read", "queue", "send", "flight", "assemble", "wait", "upload", "swap")
NEEDED = {"X": {"name", "ts", "dur", "args"}, "M": {"name", "args"}, "C": {"name", "ts", "args"}, "i": {"name", "ts", "s", "args"},
          "s": {"id", "ts"}, "t": {"id", "ts"}, "f": {"id", "ts", "bp"}}


def playing(wall, tiles):
    """Whether that many tiles have shown something for a while."""
    shown = [tile["shown_whole"] for node in wall.call("stats")["nodes"] if "report" in node for tile in node["report"]["tiles"]]
    return len(shown) == tiles and min(shown) > 20


class Trace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "trace.json"

    def trace(self, wall, *options):
        result = run(program("wall-probe"), "trace", "--connect", wall.control, "--out", self.file, "--json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout), json.loads(self.file.read_text())

    def check_format(self, trace):
        names, threads = {}, {}
        for event in trace["traceEvents"]:
            self.assertLessEqual({"ph", "pid"}, event.keys())
            self.assertLessEqual(NEEDED[event["ph"]], event.keys(), event)
            if event["ph"] == "M" and event["name"] == "process_name":
                names[event["pid"]] = event["args"]["name"]
            if event["ph"] == "M" and event["name"] == "thread_name":
                threads[event["pid"], event["tid"]] = event["args"]["name"]
        self.assertEqual(len(set(threads.values())), len(threads), "each track has its own name")
        slices = collections.defaultdict(list)
        for event in trace["traceEvents"]:
            self.assertIn(event["pid"], names)
            if event["ph"] in "XistfM" and event["name"] not in ("process_name", "process_sort_index"):
                self.assertIn((event["pid"], event["tid"]), threads)
            if event["ph"] == "X":
                self.assertIn(event["name"], STAGES)
                self.assertGreaterEqual(event["dur"], 0)
                slices[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
        for track, spans in slices.items():  # what overlaps on a track, viewers draw wrongly
            spans.sort()
            for (_, end), (begin, _) in zip(spans, spans[1:]):
                self.assertLessEqual(end, begin + 0.002, threads[track])
        arrows = collections.defaultdict(list)
        for event in trace["traceEvents"]:
            if event["ph"] in "stf":
                arrows[event["id"]].append(event)
                self.assertTrue(any(begin - 0.002 <= event["ts"] <= end + 0.002 for begin, end in slices[event["pid"], event["tid"]]), event)
        for way in arrows.values():
            self.assertIn("".join(event["ph"] for event in way), ("stf", "sf"))
            self.assertEqual([event["ts"] for event in way], sorted(event["ts"] for event in way))
        return names, threads, arrows

    @staticmethod
    def stages_by_frame(trace, tile, flow):
        """Of frames of a tile with one flow: {media time: {stage: (begin, end)}}."""
        frames = collections.defaultdict(dict)
        for event in trace["traceEvents"]:
            if event["ph"] == "X" and event["args"]["tile"] == tile and event["args"].get("flow", flow) == flow:
                frames[event["args"]["media_us"]][event["name"]] = (event["ts"], event["ts"] + event["dur"])
        return frames

    def test_stages_add_up_and_the_flight_is_the_path(self):
        wall = Wall(2, 1, tile=(160, 100), playout_delay_ms=250)
        make_source(wall.folder / "source", wall.picture, 40)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        file, relay_command = wall.behind_relay("node-1-0", 1)
        relay = start(*relay_command, "--delay-ms", "30", stdout=subprocess.DEVNULL)
        windows = shutil.which("xvfb-run") is not None
        command = [program("wall-client"), "--wall", wall.file, "--node", "node-0-0", "--log", "error"]
        first = start(*(in_windows(command) if windows else [*command, "--headless"]))
        second = wall.client("node-1-0", "--headless", "--log", "error")
        server = start(program("wall-server"), "--wall", file, "--content", wall.content, "--play", "noise", "--log", "error")
        wait_until(lambda: server.poll() is None and _answers(wall) and playing(wall, 2), 30, "the wall to play")
        summary, trace = self.trace(wall, "--seconds", "3")
        back, _ = self.trace(wall, "--seconds", "1", "--back")
        stop_in_windows(first) if windows else self.assertEqual(stop(first), 0)
        for process in (second, server, relay):
            self.assertEqual(stop(process), 0)

        names, threads, arrows = self.check_format(trace)
        self.assertEqual(len(names), 3)
        self.assertEqual({name for name in names.values()}, {f"server {trace['otherData']['hosts'][0]['name']}", "node node-0-0", "node node-1-0"})
        self.assertIn("stripe 0 read", threads.values())
        self.assertIn("flow 1 (tile 1,0) send", threads.values())
        self.assertGreater(len(arrows), 60)
        self.assertEqual([host["records_dropped"] for host in trace["otherData"]["hosts"]], [0, 0, 0])
        self.assertTrue(any(event["ph"] == "C" and event["args"]["us"] == 0 for event in trace["traceEvents"]))  # one host, one clock
        self.assertEqual(summary["records_missed"], 0)
        self.assertGreater(back["frames"], 20)

        complete = {}
        for tile, flow, has_upload in (("0,0", 0, windows), ("1,0", 1, False)):
            chain = [stage for stage in STAGES if stage != "send" and (stage != "upload" or has_upload)]
            frames = self.stages_by_frame(trace, tile, flow)
            whole = [stages for stages in frames.values() if set(chain) <= stages.keys()]
            self.assertGreater(len(whole), 60, f"tile {tile} showed most of 90 frames")  # a busy machine leaves some out
            for stages in whole:
                self.assertEqual(stages.keys(), {*chain, "send"})
                for before, after in zip(chain, chain[1:]):
                    self.assertAlmostEqual(stages[before][1], stages[after][0], delta=0.002, msg=f"{before} ends where {after} begins")
                total = sum(end - begin for begin, end in (stages[stage] for stage in chain))
                self.assertAlmostEqual(total, stages["swap"][1] - stages["read"][0], delta=0.02)
                self.assertAlmostEqual(stages["send"][0], stages["flight"][0], delta=0.002)
            complete[tile] = [stages["flight"][1] - stages["flight"][0] for stages in whole]
        self.assertGreaterEqual(min(complete["1,0"]), 30_000)
        self.assertLess(min(complete["0,0"]), 10_000)
        self.assertGreaterEqual(min(complete["0,0"]), 0)
        flight = summary["stages"]["flight"]
        self.assertGreater(flight["us_max"], 30_000)
        self.assertEqual(set(summary["stages"]), set(STAGES) if windows else set(STAGES) - {"upload"})

    @unittest.skipUnless(os.environ.get("LW_FAKE_CLOCK"), "needs fake_clock")
    def test_flights_between_different_clocks_are_true_to_the_bound(self):
        wall = Wall(1, 1, tile=(160, 100), sections='[clock]\nsource = "wall"\n')
        make_source(wall.folder / "source", wall.picture, 40)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        client = wall.client("node-0-0", "--headless", "--log", "error", env=WrongClock(3, 40).environment())
        server = wall.server("--play", "noise", "--log", "error")
        wait_until(lambda: playing(wall, 1), 30, "the wall to play")
        time.sleep(2)  # exchanges
        _, trace = self.trace(wall, "--seconds", "2")
        for process in (client, server):
            self.assertEqual(stop(process), 0)
        self.check_format(trace)
        flights = [event["args"] for event in trace["traceEvents"] if event["ph"] == "X" and event["name"] == "flight"]
        self.assertGreater(len(flights), 40)
        for flight in flights:
            self.assertGreater(flight["clock_error_us"], 0)
        bound = max(event["args"]["us"] for event in trace["traceEvents"] if event["ph"] == "C")
        self.assertGreaterEqual(min(flight["flight_us"] for flight in flights), -bound)
        self.assertLessEqual(min(flight["flight_us"] for flight in flights), bound + 5_000)  # 3 s would be the difference of the clocks

    def test_a_measurement_of_two_programs(self):
        """Frames that the other side sends, through a path of known delay; both sides' records are joined in one trace."""
        where = f"127.0.0.1:{free_tcp_port()}"
        server = start(program("wall-probe"), "serve", "--listen", where, stderr=subprocess.DEVNULL)
        wait_until(lambda: port_open(where), 10, "wall-probe serve")
        port = free_ports(16)
        relayed = f"127.0.0.1:{port + 8}"
        for options, delay_us in ((("--reverse",), 0), (("--via", relayed), 30_000)):
            relay = start(program("wall-probe"), "impair", "--listen", f"{relayed}-{port + 11}", "--to", f"127.0.0.1:{port}", "--delay-ms", "30",
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            result = run(program("wall-probe"), "run", "--to", where, "-P", "2", "-b", "100M", "--fps", "50", "-t", "1", "-O", "0.2", "--base-port", port, "--json",
                         "--trace", self.file, *options)
            self.assertEqual(stop(relay), 0)
            self.assertEqual(result.returncode, 0, result.stderr)
            trace = json.loads(self.file.read_text())
            names, threads, _ = self.check_format(trace)
            self.assertEqual([name.split()[0] for name in names.values()], ["sender", "receiver"])
            self.assertIn("flow 1 (tile 1,0) assemble", threads.values())
            summary = json.loads(result.stdout.splitlines()[-1])["data"]
            self.assertEqual(summary["records_dropped"], 0)
            self.assertEqual(set(summary["stages"]), {"send", "flight", "assemble"})  # nothing is read, and nothing shown
            self.assertGreater(summary["stages"]["flight"]["count"], 2 * 30)
            self.assertGreaterEqual(summary["stages"]["flight"]["us_min"], delay_us)
            self.assertLess(summary["stages"]["flight"]["us_min"], delay_us + 10_000)
            self.assertTrue(any(event["ph"] == "C" and event["args"]["us"] == 0 for event in trace["traceEvents"]))  # one kernel, one clock
        self.assertEqual(stop(server), 0)

    def test_every_call_of_bursts(self):
        """Each flow has a track; a burst contains its calls, whose bytes are those of the message."""
        size, bursts, flows = 3_000_000, 5, 3
        for options in ((), ("--reverse",)):
            result = run(program("wall-probe"), "run", "--bursts", "-P", flows, "-l", size, "--burst-count", bursts, "--compute-ms", 2, "-t", 30, "-O", "0.1", "--json", "--trace", self.file, *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            trace = json.loads(self.file.read_text())
            self.assertEqual(trace["otherData"]["records_missing"], 0)
            slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
            self.assertEqual({event["tid"] for event in slices}, {1, 2, 3})
            whole = {(event["tid"], event["args"]["burst"]): event for event in slices if event["name"] == "burst"}
            self.assertEqual(len(whole), flows * bursts)
            written = {}
            for event in slices:
                key = event["tid"], event["args"]["burst"]
                outer = whole[key]
                if event["name"] in ("write", "answer"):
                    self.assertGreaterEqual(event["ts"], outer["ts"])
                    self.assertLessEqual(event["ts"] + event["dur"], outer["ts"] + outer["dur"] + 0.001)
                if event["name"] == "write":
                    written[key] = written.get(key, 0) + event["args"]["bytes"]
            self.assertEqual(set(written.values()), {size})
            self.assertEqual(sum(event["name"] == "barrier" for event in slices), flows * bursts)
            self.assertGreaterEqual(sum(event["name"] == "write" for event in slices), flows * bursts * 3)  # of 1 MiB at most
            stages = json.loads(result.stdout.splitlines()[-1])["data"]["stages"]
            self.assertAlmostEqual(sum(stage["share"] for stage in stages.values()), 1)
            self.assertGreaterEqual(stages["compute"]["s"], 0.002 * flows * bursts * 0.99)

    def test_every_frame_is_in_the_records_and_trouble_is_marked(self):
        wall = Wall(2, 1, tile=(160, 100), flows_per_tile=2, playout_delay_ms=150, resend=False, fec="none", mtu=1500)
        make_source(wall.folder / "source", wall.picture, 40)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        file, relay_command = wall.behind_relay("node-1-0", 2)
        relay = start(*relay_command, "--loss-percent", "3", "--seed", "7", stdout=subprocess.DEVNULL)
        clients = [wall.client(node, "--headless", "--log", "error") for node in wall.nodes]
        time.sleep(0.5)
        server = start(program("wall-server"), "--wall", file, "--content", wall.content, "--play", "noise", "--log", "error")
        wait_until(lambda: server.poll() is None and _answers(wall), 10, "the server")
        wait_until(lambda: all("report" in node for node in wall.call("stats")["nodes"]), 10, "the nodes")
        for _ in range(200):  # asked for as often as nobody does
            wall.call("trace", seconds=0.2)
        _, trace = self.trace(wall, "--seconds", "2")
        wall.call("stop")
        time.sleep(1)
        stats = wall.call("stats")
        records, after = [], {}
        while True:
            piece = wall.call("trace", **after)
            self.assertEqual(piece["missed"], 0)
            records += piece["records"]
            after = {"after": piece["next"]}
            if not piece["more"]:
                break
        for process in (*clients, server, relay):
            self.assertEqual(stop(process), 0)
        self.assertEqual([host["dropped"] for host in piece["hosts"]], [0, 0, 0])

        # The counters know as many frames as there are records.
        count = lambda step, *fates, **part: sum(r["step"] == step and r["fate"] in fates and part.items() <= r.items() for r in records)
        for flow in stats["sender"]:
            self.assertEqual(count("sent", "whole", flow=flow["flow"]), flow["frames"])
            self.assertEqual(count("sent", "left_out", flow=flow["flow"]), flow["frames_skipped"])
        reports = [node["report"] for node in stats["nodes"]]
        for flow in (flow for report in reports for flow in report["flows"]):
            self.assertEqual(count("received", "whole", "repaired", flow=flow["flow"]), flow["bands_whole"])
            self.assertEqual(count("received", "incomplete", flow=flow["flow"]), flow["bands_incomplete"])
        for tile in (tile for report in reports for tile in report["tiles"]):
            self.assertEqual(count("shown", "whole", "repaired", tile=tile["tile"]), tile["shown_whole"])
            self.assertEqual(count("shown", "incomplete", tile=tile["tile"]), tile["shown_concealed"])
            self.assertGreater(tile["swaps"], 30)

        self.check_format(trace)
        notes = [event for event in trace["traceEvents"] if event["ph"] == "i"]
        self.assertGreater(sum(note["name"] == "packets missing" and note["args"]["tile"] == "1,0" for note in notes), 5)
        self.assertGreater(sum(note["name"] == "concealed" and note["args"]["tile"] == "1,0" for note in notes), 5)

    def test_errors_are_one_line(self):
        for connect, words in (("127.0.0.1:1", "no connection to"), ("somewhere:9010", "numeric"), ("127.0.0.1", "127.0.0.1:9010")):
            with self.subTest(connect):
                result = run(program("wall-probe"), "trace", "--connect", connect, "--out", self.file)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
                self.assertIn(words, result.stderr)
                self.assertFalse(self.file.exists())
        self.assertEqual(run(program("wall-probe"), "trace").returncode, 2)
        self.assertEqual(run(program("wall-probe"), "trace", "--out", self.file, "--seconds", "0").returncode, 2)
        wall = Wall(1, 1)
        server = wall.server("--log", "error")
        result = run(program("wall-probe"), "trace", "--connect", wall.control, "--out", self.file, "--seconds", "0.2")
        self.assertEqual(stop(server), 0)
        self.assertEqual(result.returncode, 1)
        self.assertIn("no frame", result.stderr)


def _answers(wall):
    try:
        wall.call("state")
        return True
    except OSError:
        return False


if __name__ == "__main__":
    real_time.main(verbosity=2)
