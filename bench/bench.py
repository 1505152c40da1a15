"""scripts/bench: our data path beside the tools a user would pick instead, as ratios of one run.

Every figure is a median of runs that alternate between us and the peer, since a virtual machine's speed changes by the minute; the ratio
of lossless rates that of the ratios. A rate counts as lossless when at most one packet in a million was lost. Prints a table, writes JSON with the machine."""
import argparse
import contextlib
import datetime
import json
import os
import pathlib
import platform
import re
import secrets
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import lossless
import recovery
import skew

ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = ROOT / "build/release/bin"
UNTHROTTLED = 80.0  # Gbit/s: more than one core can send
PARTS = ("path", "assembly", "metrics", "sealed", "bursts", "flows", "placement", "spacing", "fec", "skew", "read")
ALONE = ("recovery",)  # with --only: each takes minutes


def say(text):
    print(text, file=sys.stderr, flush=True)


class BenchError(Exception):
    pass


def figures_of(process):
    out, errors = process.communicate()
    if process.returncode != 0:
        raise BenchError(errors.strip().removeprefix("wall-bench: ") or f"wall-bench ended with {process.returncode}")
    return json.loads(out)


def start(command):
    return subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def measured(*command):
    return figures_of(start([BIN / "wall-bench", *command]))


class Path:
    """Between which addresses is measured, and how a program is started on the receiving host."""

    def __init__(self, options):
        self.source, self.target = options.interface, options.to or options.interface
        self.remote = shlex.split(options.remote) if options.remote else None
        self.remote_bench = options.remote_bench or str(BIN / "wall-bench")

    def receiving(self, command):
        return [*(self.remote or []), *command]

    def flow(self, *options):
        command = ["flow", "--from", self.source, "--to", self.target, *options]
        if not self.remote:
            return measured(*command)
        receiver = start(self.receiving([self.remote_bench, *command, "--side", "receiver"]))
        time.sleep(1)
        sent = measured(*command, "--side", "sender")
        return {**sent, **figures_of(receiver)}


class Flow:
    """Our sender and receiver, from memory to frame buffers: of 25 MB unless `options` say otherwise, or what a wall of 30 frame/s has at the rate, if that is
    more; as fast as it goes: of 50 MB."""
    name = "Lambdawall"

    def __init__(self, path, datagram, *options):
        self.path, self.datagram, self.options = path, datagram, options
        if "--store" in options:
            self.name += " from the disk"

    def run(self, gbit, seconds):
        rows = 4352 if gbit == UNTHROTTLED else max(2176, round(gbit * 1e9 / 8 / 30 / (3840 * 3)))
        size = () if "--rows" in self.options else ("--rows", min(16384, rows))
        return self.path.flow("--datagram", self.datagram, "--gbit", gbit, "--seconds", seconds, *size, *self.options)


class Bare:
    """UDP_SEGMENT to UDP_GRO straight into a frame area: what the kernel alone can do."""
    name = "bare kernel pair"

    def __init__(self, path, datagram):
        self.path, self.datagram = path, datagram

    def run(self, gbit, seconds):
        return measured("bare", "--address", self.path.target, "--datagram", self.datagram, "--gbit", gbit, "--seconds", seconds)


def iperf3(path, datagram, seconds):
    """The highest rate iperf3 receives over UDP, one flow; it places nothing."""
    port = 5399
    server = subprocess.Popen(path.receiving(["iperf3", "-s", "-1", "-B", path.target, "-p", str(port), "-A", "1", "--json"]), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        time.sleep(0.3)
        subprocess.run(["iperf3", "-c", path.target, "-B", path.source, "-p", str(port), "-u", "-b", "0", "-l", str(datagram), "-w", "4M", "-A", "0,1", "-t", str(seconds)],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds + 20)
        end = json.loads(server.communicate(timeout=20)[0])["end"]["sum"]
        return (end["packets"] - end["lost_packets"]) * datagram * 8e-9 / end["seconds"]
    finally:
        if server.poll() is None:
            server.kill()
            server.wait()


def gstreamer(path, datagram, seconds):
    """What rtpvrawdepay gives out of what rtpvrawpay sends: 1280x800 RGB, as fast as it goes. None where it does not run."""
    width, height, port = 1280, 800, 5398
    caps = (f"application/x-rtp,media=(string)video,clock-rate=(int)90000,encoding-name=(string)RAW,sampling=(string)RGB,depth=(string)8,"
            f"width=(string){width},height=(string){height},payload=(int)96")
    receiver = subprocess.Popen(path.receiving(["taskset", "-c", "1", "gst-launch-1.0", "-v", "udpsrc", f"address={path.target}", f"port={port}", "buffer-size=4194304", f"caps={caps}", "!",
                                 "rtpvrawdepay", "!", "fakesink", "sync=false", "silent=false"]), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    arrivals = []

    def count():
        for line in receiver.stdout:
            if "last-message = chain" in line:
                arrivals.append(time.monotonic())

    counter = threading.Thread(target=count)
    counter.start()
    time.sleep(1)
    sender = subprocess.Popen(["taskset", "-c", "0", "gst-launch-1.0", "-q", "videotestsrc", "pattern=black", "num-buffers=1", "!",
                               f"video/x-raw,format=RGB,width={width},height={height},framerate=30/1", "!", "imagefreeze", "!", "rtpvrawpay", f"mtu={datagram}", "!",
                               "udpsink", f"host={path.target}", f"bind-address={path.source}", f"port={port}", "sync=false", "buffer-size=4194304"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    for process in (sender, receiver):
        process.terminate()
        process.wait()
    counter.join()
    if len(arrivals) < 10:
        return None
    return (len(arrivals) - 1) * width * height * 3 * 8e-9 / (arrivals[-1] - arrivals[0])


# name -> program, how often at most, what measures its rate, and what we must reach of it by datagram
PEERS = {"iperf3 UDP, highest received": ("iperf3", 5, iperf3, {1400: 6, 8900: 1.35}),
         "GStreamer rtpvrawpay, depay": ("gst-launch-1.0", 3, gstreamer, {1400: 9, 8900: 2.5})}


class Bench:
    def __init__(self, options):
        self.options = options
        self.over = Path(options)
        self.rows = []
        self.runs = 3 if options.quick else 5
        self.few = 3  # of what has no bar
        self.seconds = 1.0 if options.quick else 6.0
        self.probe_seconds = 0.7 if options.quick else 1.0

    def row(self, measure, peer, ours, theirs, least, unit="Gbit/s", **more):
        ratio = more.pop("ratio", ours / theirs if ours and theirs else None)
        self.rows.append({"measure": measure, "peer": peer, "ours": ours, "theirs": theirs, "ratio": ratio, "least": least, "unit": unit, **more})
        verdict = "" if ratio is None or least is None else ("  reached" if ratio >= least else "  MISSED")
        text = f"{measure}: {more.get('text') or f'{ours:.3g} {unit}'}"
        if theirs:
            text += f", {peer} {theirs:.3g}: {ratio:.2f} x" + (f" (at least {least} x)" if least else "") + verdict
        say(text)

    def wanted(self, name):
        return name not in ALONE if self.options.only is None else self.options.only == name

    def peer(self, program):
        return self.options.peer != "none" and shutil.which(program)

    def path(self):
        """One flow, one core each side; the bare pair and the other tools in turns with it."""
        for datagram in (1400, 8900):
            say(f"one flow, {datagram}-byte datagrams: looking for the highest lossless rates")
            us, bare = Flow(self.over, datagram), Bare(self.over, datagram)
            ceiling = self.options.ceiling or bare.run(0, 1.0)["received_gbit_per_s"] * 1.1
            peers = {name: [] for name in PEERS}

            def measure_peers():
                for name, (program, most, measure, _) in PEERS.items():
                    if self.peer(program) and len(peers[name]) < most and (rate := measure(self.over, datagram, 3)):
                        peers[name].append(rate)

            found = lossless.rounds([us] if self.over.remote else [us, bare], ceiling, self.probe_seconds, self.runs, say, measure_peers)
            if not self.over.remote:
                self.row(f"highest lossless rate of {self.probe_seconds:g} s, one flow, {datagram} B", "bare kernel pair", *map(statistics.median, found), 0.92,
                         ratio=statistics.median(ours / theirs for ours, theirs in zip(*found) if theirs))
            gbit, results = lossless.held(us, statistics.median(found[0]), self.seconds, self.runs)
            if not results:
                raise BenchError(f"no rate was held with {datagram}-byte datagrams: this machine stalls too often now")
            self.held_rows(datagram, gbit, results)
            for peer, rates in peers.items():
                if rates:
                    self.row(f"the same, {datagram} B", peer, gbit, statistics.median(rates), PEERS[peer][3][datagram])

    def held_rows(self, datagram, gbit, results):
        middle = {key: statistics.median(result[key] for result in results) for key in ("in_place", "packets_per_send_call", "packets_per_receive_call", "sender_cpu_s_per_gb", "receiver_cpu_s_per_gb")}
        sent = statistics.fmean(result["sent_gbit_per_s"] for result in results) / gbit
        self.row(f"held without a loss for {self.runs * self.seconds:g} s, one flow, {datagram} B", None, gbit, None, None, **middle,
                 text=f"{gbit:.3g} Gbit/s; {max(0, 1 - sent):.1%} of the frames given up, when the host stalled")
        self.row(f"packets per system call at that rate, {datagram} B: sent, received", None, middle["packets_per_send_call"], None, None, unit="",
                 text=f"{middle['packets_per_send_call']:.1f}, {middle['packets_per_receive_call']:.1f}")
        self.row(f"CPU at that rate, {datagram} B: sender, receiver", None, middle["sender_cpu_s_per_gb"], None, None, unit="s/GB",
                 text=f"{middle['sender_cpu_s_per_gb']:.3f}, {middle['receiver_cpu_s_per_gb']:.3f} s/GB")

    def assembly(self):
        for datagram in (1400, 8900):
            figures = {"kernel": [], "user": []}
            for _ in range(self.few):
                for who in figures:
                    figures[who].append(Flow(self.over, datagram, "--assemble", who).run(UNTHROTTLED, self.probe_seconds)["received_gbit_per_s"])
            self.row(f"run assembled in user space, {datagram} B, unthrottled", "gathered by the kernel", statistics.median(figures["user"]), statistics.median(figures["kernel"]), None)

    def metrics(self):
        """What measuring costs: one flow as fast as it goes, with counts only, with all that a wall measures, and with a record of each packet, in turns."""
        for datagram in (1400, 8900):
            results = {"counts": [], "all": [], "packets": []}
            for _ in range(self.runs):
                for what in results:
                    results[what].append(Flow(self.over, datagram, "--measure", what).run(UNTHROTTLED, self.probe_seconds)["received_gbit_per_s"])
            rate = {what: statistics.median(rates) for what, rates in results.items()}
            self.row(f"all metrics on, {datagram} B, unthrottled", "none but counts", rate["all"], rate["counts"], 0.97)
            self.row(f"a record of each packet, too, {datagram} B", "all metrics on", rate["packets"], rate["all"], 0.9)

    def sealed(self):
        """What SRTP costs: one flow as fast as it goes, sealed and in the clear in turns."""
        if self.over.remote:
            return  # the key would have to be there, too
        with tempfile.NamedTemporaryFile("w", suffix=".key") as key:
            key.write(secrets.token_hex(32))
            key.flush()
            for datagram in (1400, 8900):
                results = {"sealed": [], "clear": []}
                for _ in range(self.few):
                    results["sealed"].append(Flow(self.over, datagram, "--srtp-key", key.name).run(UNTHROTTLED, self.probe_seconds))
                    results["clear"].append(Flow(self.over, datagram).run(UNTHROTTLED, self.probe_seconds))
                middle = lambda who, what: statistics.median(result[what] for result in results[who])
                for what, words, unit in (("received_gbit_per_s", "rate", "Gbit/s"), ("sender_cpu_s_per_gb", "CPU of the sender", "s/GB"), ("receiver_cpu_s_per_gb", "CPU of the receiver", "s/GB")):
                    self.row(f"sealed (SRTP), {datagram} B, unthrottled: {words}", "in the clear", middle("sealed", what), middle("clear", what), None, unit=unit)

    def bursts(self):
        for burst in (1, 4, 8, 16, 44):
            result = Flow(self.over, 1400, "--burst", burst).run(4, self.probe_seconds)
            self.row(f"burst of {burst} at 4 Gbit/s, 1400 B: CPU of sender and receiver", None,
                     result["sender_cpu_s_per_gb"] + result["receiver_cpu_s_per_gb"], None, None, unit="s/GB",
                     packets_per_send_call=result["packets_per_send_call"], packets_per_receive_call=result["packets_per_receive_call"])

    def flows(self):
        ours, single = [], []
        for _ in range(self.runs):
            single.append(Flow(self.over, 8900, "--width", 1920, "--rows", 1080, "--sender-cpus", "0,1", "--receiver-cpus", "1,0").run(UNTHROTTLED, self.probe_seconds)["received_gbit_per_s"])
            ours.append(Flow(self.over, 8900, "--flows", 16, "--width", 960, "--rows", 540, "--sender-cpus", "0,1", "--receiver-cpus", "1,0").run(UNTHROTTLED, self.probe_seconds)["received_gbit_per_s"])
        self.row("16 flows on 2 cores, unthrottled", "1 flow on 2 cores", statistics.median(ours), statistics.median(single), 0.9)

    def placement(self):
        """P1.4, P2.4: one flow as fast as it goes, by where its two threads run; and with a receiver that looks for packets before it sleeps."""
        ways = {"cores of their own": ("0", "1", 0), "not pinned": ("-1", "-1", 0), "one core for both": ("0", "0", 0), "cores of their own, busy polling 50 us": ("0", "1", 50)}
        rates = {way: [] for way in ways}
        for _ in range(self.few):
            for way, (sender, receiver, poll) in ways.items():
                result = Flow(self.over, 8900, "--sender-cpus", sender, "--receiver-cpus", receiver, "--busy-poll-us", poll).run(UNTHROTTLED, self.probe_seconds)
                rates[way].append(result["received_gbit_per_s"] * (1 - result["loss"]))
        apart = statistics.median(rates["cores of their own"])
        for way in list(ways)[1:]:
            self.row(f"one flow, unthrottled, received, 8900 B: threads {way}", "cores of their own", statistics.median(rates[way]), apart, None)

    def fec(self):
        """Our encoding and decoding beside the library's own loop, and what is left incomplete beside row and column parity."""
        for data, parity in ((20, 4), (40, 8), (10, 2)):
            runs = [measured("fec", "--data", data, "--parity", parity) for _ in range(self.runs if data == 20 else self.few)]
            middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
            encoding, decoding = "ISA-L's own encoding", "ISA-L's own decoding, tables anew for each group"
            for what, text, peer in (("encode", "encode", encoding), ("decode", "decode, the same places lost in all groups", encoding),
                                     ("decode_elsewhere", "decode, other places in each group", decoding)):
                beside = middle[f"library_{'encode' if peer is encoding else 'decode'}_gb_per_s"]
                self.row(f"FEC {text}, {data}+{parity}, 1356 B, one core", peer, middle[f"{what}_gb_per_s"], beside, 0.9, "GB/s")
            self.row(f"frames of 569 packets incomplete, 1 % lost in bursts of 8, {data}+{parity} (predicted {middle['frames_incomplete_predicted']:.1e})",
                     "rows and columns (RFC 8627)", middle["frames_incomplete"], middle["frames_incomplete_rows_and_columns"], None, "of all")

    def skew(self):
        """Four clients of a tile each on this host: the spread of a frame's swaps over the tiles."""
        for way, frames, median, high, not_whole in skew.measure(60 if self.options.only and not self.options.quick else 10):
            self.row(f"skew of a frame over 4 clients' tiles, 640x400 at 30 frame/s, {way}", None, median, None, None, unit="ms",
                     text=f"p50 {median:.2f} ms, p99 {high:.2f} ms over {frames} frames; {not_whole} not shown whole")

    def recovery(self):
        """A path that loses packets, for a minute: what is made good, and for how much more bandwidth."""
        for path, seen in recovery.measure(10 if self.options.quick else 62):
            self.row(path, None, seen["whole"] / seen["due"], None, None, unit="of the frames", seen=seen,
                     text=f"{seen['whole']} of {seen['due']} frames whole ({seen['whole'] / seen['due']:.2%}), {seen['late']} late, {seen['skipped']} given up by the sender; {seen['relay_lost']} packets lost, "
                          f"{seen['resent']} made good by resends, {seen['rebuilt']} rebuilt; {seen['more']:.2%} more bandwidth")

    def spacing(self):
        """ST 2110-21 of a paced flow; narrow is asked for where one packet leaves at a time at 1 Gbit/s, and the core was idle."""
        for gbit in (1, 4):
            for burst in (1, 8, 44):
                results = [measured("spacing", "--from", self.over.source, "--to", self.over.source, "--gbit", gbit, "--datagram", 1400, "--burst", burst, "--seconds", 1) for _ in range(self.few)]
                cinst, vrx, narrow, stalls = (statistics.median(result[key] for result in results) for key in ("cinst_max", "vrx_max", "frames_narrow", "core_stalls_per_s"))
                late = any(result["frames"] < 0.9 * result["frames_sent"] for result in results)
                self.row(f"ST 2110-21 at {gbit} Gbit/s, bursts of {burst} x 1400 B: Cinst, VRX (narrow: {results[0]['narrow_cinst']:.0f}, {results[0]['narrow_vrx']:.0f}; "
                         f"wide: {results[0]['wide_cinst']:.0f}, {results[0]['wide_vrx']:.0f})", None, cinst, None, None, unit="packets", runs=results,
                         text="one core does not send that many packets" if late else
                         f"{cinst:.0f}, {vrx:.0f}; {narrow:.0%} of frames narrow; runs: {', '.join(result['class'] for result in results)}; stalls of the idle core: {stalls:.0f}/s")

    def from_disk(self, store):
        """Disk -> wire -> frame buffer, in turns with reading alone and sending alone."""
        from_memory, from_disk = Flow(self.over, 8900), Flow(self.over, 8900, "--store", store, "--width", 3840, "--rows", 2160)
        read = lambda: measured("read", store, "--seconds", 1)["gigabytes_per_s"] * 8
        reading = []
        ours, sending = lossless.rounds([from_disk, from_memory], 1.15 * read(), self.probe_seconds, self.runs, say, lambda: reading.append(read()))
        lower = [min(pair) for pair in zip(reading, sending)]
        self.row("disk -> wire -> frame buffer, lossless, 8900 B", "the lower of reading and sending alone", statistics.median(ours), statistics.median(lower), 0.92,
                 ratio=statistics.median(mine / bound for mine, bound in zip(ours, lower) if bound), reading_gbit=statistics.median(reading), sending_gbit=statistics.median(sending))

    def read(self):
        folder = pathlib.Path(self.options.disk or ROOT / "build/bench")
        wall = folder / "wall.toml"
        folder.mkdir(parents=True, exist_ok=True)
        wall.write_text('[wall]\nname = "bench"\ncolumns = 1\nrows = 1\ntile_width = 3840\ntile_height = 2160\nframe_rate = 30\n'
                        '[[node]]\nname = "n"\naddress = "127.0.0.1"\ntiles = [{ column = 0, row = 0 }]\n[[server]]\nname = "s"\n')
        for stripes in (1, 2, 4):
            directories = [folder / f"stripe-{stripes}-{i}" for i in range(stripes)]
            for directory in directories:
                directory.mkdir(exist_ok=True)
            say(f"read, {stripes} stripes: writing a store")
            subprocess.run([str(BIN / "wall-ingest"), "lavfi:testsrc2=size=3840x2160:rate=30:duration=0.8", "--wall", str(wall), "--out", ",".join(map(str, directories)),
                            "--name", "bench", "--overwrite"], check=True, capture_output=True)
            try:
                self.compare_reading(directories, stripes)
            finally:
                for directory in directories:
                    shutil.rmtree(directory)

    def compare_reading(self, directories, stripes):
        files = ":".join(str(directory / "bench/tile-0-0.npy") for directory in directories)
        ours, theirs, our_cpu, their_cpu = [], [], [], []
        for _ in range(self.runs):
            result = measured("read", directories[0] / "bench", "--seconds", 2)
            ours.append(result["gigabytes_per_s"])
            our_cpu.append(result["cpu_s_per_gb"])
            if self.peer("fio"):
                done = subprocess.run(["fio", "--name=read", f"--filename={files}", "--rw=read", "--bs=1M", "--direct=1", "--ioengine=io_uring", f"--iodepth={16 * stripes}", "--fixedbufs=1",
                                       "--registerfiles=1", "--time_based", "--runtime=2", "--cpus_allowed=0", "--output-format=json"], check=True, capture_output=True, text=True)
                job = json.loads(done.stdout)["jobs"][0]
                theirs.append(job["read"]["bw_bytes"] * 1e-9)
                their_cpu.append((job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] / 1000 / (job["read"]["io_bytes"] * 1e-9))
        more = {"cpu_s_per_gb": statistics.median(our_cpu), "reader": result["reader"], "direct": result["direct"]}
        if their_cpu:
            more["peer_cpu_s_per_gb"] = statistics.median(their_cpu)
        self.row(f"read, {stripes} stripe{'s' if stripes > 1 else ''} (one disk)", "fio io_uring, same blocks and depth", statistics.median(ours), statistics.median(theirs) if theirs else None, 0.97, unit="GB/s", **more)
        if their_cpu:
            self.row(f"CPU of that, {stripes} stripe{'s' if stripes > 1 else ''} (at most 1.1 x)", "fio", more["cpu_s_per_gb"], more["peer_cpu_s_per_gb"], None, unit="s/GB")
        if stripes == 2:
            self.from_disk(directories[0] / "bench")


def machine():
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    with contextlib.suppress(OSError):
        return {"kernel": platform.release(), "cpu": cpu.group(1) if cpu else None, "cores": os.cpu_count(),
                "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 1e-9, 1),
                "rmem_max": int(pathlib.Path("/proc/sys/net/core/rmem_max").read_text()),
                "load_average": os.getloadavg()[0]}


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="short runs: about two minutes, and rougher")
    parser.add_argument("--peer", choices=["all", "none"], default="all", help="none: our figures and the bare kernel's only")
    parser.add_argument("--only", choices=PARTS + ALONE, help="one part; recovery (what is made good on paths that lose packets) only so; the skew for a minute then")
    parser.add_argument("--disk", help="a folder on the disk to read from; default: build/bench")
    parser.add_argument("--out", default="build/bench.json", help="the figures as JSON")
    parser.add_argument("--interface", default="127.0.0.1", metavar="ADDRESS", help="the sender's address, whose interface is measured; default: loopback")
    parser.add_argument("--to", metavar="ADDRESS", help="the receiver's address; default: the sender's")
    parser.add_argument("--remote", metavar="COMMAND", help="what starts a program on the receiving host: 'ssh HOST' (without a password); the bare pair is left out then")
    parser.add_argument("--remote-bench", metavar="FILE", help="wall-bench over there; default: where it is here")
    parser.add_argument("--ceiling", type=float, metavar="GBIT", help="look for lossless rates up to this; with --remote: the link's rate")
    options = parser.parse_args()
    if options.remote and not (options.to and options.ceiling):
        parser.error("--remote needs --to ADDRESS and --ceiling GBIT, too")
    if (os.cpu_count() or 1) < 2:
        sys.exit("bench: one core is not enough; sender and receiver need one each")
    started = time.monotonic()
    bench = Bench(options)
    try:
        for name in PARTS + ALONE:
            if bench.wanted(name):
                began = time.monotonic()
                getattr(bench, name)()
                say(f"({name}: {time.monotonic() - began:.0f} s)")
    except BenchError as error:
        sys.exit(f"bench: {error}")
    report = {"time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "seconds": round(time.monotonic() - started), "machine": machine(), "rows": bench.rows}
    pathlib.Path(options.out).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(options.out).write_text(json.dumps(report, indent=2) + "\n")
    print(f"| measure | ours | peer | theirs | ratio | at least |\n| --- | --- | --- | --- | --- | --- |")
    for row in bench.rows:
        theirs = f"{row['theirs']:.3g}" if row["theirs"] else "-"
        ratio = f"{row['ratio']:.2f}" if row["ratio"] else "-"
        ours = row.get("text") or f"{row['ours']:.3g} {row['unit']}"
        print(f"| {row['measure']} | {ours} | {row['peer'] or '-'} | {theirs} | {ratio} | {row['least'] or '-'} |")


if __name__ == "__main__":
    main()
