"""What the bench runs: our own programs and the peers', each with a limit of time, so that whatever happens a measurement ends with a result or a BenchError."""
import json
import pathlib
import re
import select
import shlex
import signal
import subprocess
import threading
import time

from lossless import BenchError

ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = ROOT / "build/release/bin"
UNTHROTTLED = 80.0  # Gbit/s: more than one core can send
FRAMES_PER_S = 200  # at the highest rate looked for; a slower flow has fewer of the same size, and none takes longer to send than a wall waits
WIDTH = 3840
PEER_BUFFER = 4 << 20
PATIENCE = 30  # seconds beyond those that a measurement is to take




def start(command, **more):
    return subprocess.Popen(list(map(str, command)), stdin=more.pop("stdin", subprocess.DEVNULL), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def figures_of(process, limit):
    try:
        out, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise BenchError(f"{process.args[1]}: no result after {limit:.0f} s") from None
    if process.returncode != 0:
        raise BenchError(errors.strip().removeprefix("wall-bench: ") or f"wall-bench ended with {process.returncode}")
    return parsed(out)


def parsed(line):
    try:
        return json.loads(line)
    except ValueError:
        raise BenchError(f"not a result: {line.strip()[:100]}") from None


def measured(*command, limit=120):
    return figures_of(start([BIN / "wall-bench", *command]), limit)


class Session:
    """A wall-bench that was set up once, and measures whenever it is asked."""

    def __init__(self, *command):
        self.process = start([BIN / "wall-bench", *command, "--serve"], stdin=subprocess.PIPE)
        self.facts = self.answer(PATIENCE)

    def run(self, gbit, seconds):
        try:
            self.process.stdin.write(f"{gbit} {seconds}\n")
            self.process.stdin.flush()
        except OSError:
            raise self.ended() from None
        return self.answer(seconds + PATIENCE)

    def answer(self, limit):
        # One line for each request, so that no data is in a buffer that select does not see.
        ready, _, _ = select.select([self.process.stdout], [], [], limit)
        if not ready:
            self.close()
            raise BenchError(f"wall-bench gave no result within {limit:.0f} s")
        line = self.process.stdout.readline()
        if not line:
            raise self.ended()
        try:
            return parsed(line)
        except BenchError:
            self.close()
            raise

    def ended(self):
        self.close()
        return BenchError(self.errors.strip().removeprefix("wall-bench: ") or f"wall-bench ended with {self.process.returncode}")

    def close(self):
        if self.process.poll() is None:
            try:
                self.process.stdin.close()
                self.process.wait(5)
            except (OSError, subprocess.TimeoutExpired):
                self.process.kill()
                self.process.wait()
        self.errors = "" if self.process.stderr.closed else self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()


class Path:
    """Between which addresses is measured, and how a program is started on the receiving host."""

    def __init__(self, options):
        self.source, self.target = options.interface, options.to or options.interface
        self.remote = shlex.split(options.remote) if options.remote else None
        self.remote_bench = options.remote_bench or str(BIN / "wall-bench")

    def receiving(self, command):
        return [*(self.remote or []), *command]

    def flow(self, *options, seconds):
        command = ["flow", "--from", self.source, "--to", self.target, "--seconds", seconds, *options]
        if not self.remote:
            return measured(*command, limit=seconds + PATIENCE)
        receiver = start(self.receiving([self.remote_bench, *map(str, command), "--side", "receiver"]))
        time.sleep(1)
        try:
            sent = measured(*command, "--side", "sender", limit=seconds + PATIENCE)
        except BenchError:
            receiver.kill()
            receiver.communicate()
            raise
        return {**sent, **figures_of(receiver, PATIENCE)}


class Flow:
    """Our sender and receiver, from memory or a store to frame buffers, for rates up to `ceiling`. Set up once where both sides are on this host, for each run where they are not."""
    ports = iter(range(50000, 64000, 200))  # several may be set up at the same time

    def __init__(self, path, datagram, ceiling, *options, name="Lambdawall"):
        self.path, self.name = path, name
        rows = () if "--rows" in options else ("--rows", rows_for(ceiling))
        self.options = ["--datagram", datagram, "--port", next(Flow.ports), *rows, *options]
        self.session = None if path.remote else Session("flow", "--from", path.source, "--to", path.target, "--gbit", ceiling, *self.options)
        self.facts = self.session.facts if self.session else {}

    def run(self, gbit, seconds):
        if self.session:
            return self.session.run(gbit, seconds)
        return self.path.flow("--gbit", gbit, *self.options, seconds=seconds)

    def close(self):
        if self.session:
            self.session.close()


class Bare:
    """UDP_SEGMENT to UDP_GRO straight into a frame area: what the kernel alone can do. From as much memory as `like`, a flow, and into as much."""
    name = "bare kernel pair"

    def __init__(self, path, datagram, ceiling, like):
        self.session = Session("bare", "--address", path.target, "--datagram", datagram, "--buffers-for", ceiling, "--source-bytes", like["source_bytes"], "--area-bytes", like["area_bytes"])
        self.facts = self.session.facts

    def run(self, gbit, seconds):
        return self.session.run(gbit, seconds)

    def close(self):
        self.session.close()


def rows_for(gbit):
    return max(64, min(16384, round(gbit * 1e9 / 8 / FRAMES_PER_S / (WIDTH * 3))))


def unthrottled(path, datagram, seconds, *options):
    """One flow that is offered more than it can send, in frames of 50 MB."""
    rows = () if "--rows" in options else ("--rows", 4352)
    return path.flow("--gbit", UNTHROTTLED, "--datagram", datagram, *rows, *options, seconds=seconds)


SEALED_BYTES = 24  # by which encryption lengthens a packet


def openssl(datagram, cpu):
    """Gbit/s of datagrams of this size that one core encrypts by OpenSSL's own measure: AES-256-GCM of whole packets, each with an IV and a tag."""
    text = datagram - SEALED_BYTES
    try:
        result = subprocess.run(["taskset", "-c", str(cpu), "openssl", "speed", "-elapsed", "-aead", "-evp", "aes-256-gcm", "-bytes", str(text), "-seconds", "1", "-mr"],
                                capture_output=True, text=True, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BenchError(f"openssl speed gave no result: {error}") from None
    return openssl_bytes_per_s(result.stdout + result.stderr) / text * datagram * 8e-9


def openssl_bytes_per_s(output):
    """Of the line that `openssl speed -mr` ends with, +F:number:AES-256-GCM:bytes per second."""
    found = re.search(r"^\+F:\d+:AES-256-GCM:([\d.]+)$", output, re.MULTILINE)
    if not found:
        raise BenchError(f"openssl speed gave no result: {output.strip()[-100:]}")
    return float(found[1])


def granted(limit_name):
    """Bytes that a socket of the peer gets of what it asks for."""
    limit = int(pathlib.Path(f"/proc/sys/net/core/{limit_name}").read_text())
    return min(PEER_BUFFER, limit)


def iperf3(path, datagram, seconds):
    """Gbit/s of UDP payload that iperf3 receives, one flow, as fast as it sends; it places nothing."""
    port = 5399
    server = subprocess.Popen(path.receiving(["iperf3", "-s", "-1", "-B", path.target, "-p", str(port), "-A", "1", "--json"]), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        time.sleep(0.3)
        subprocess.run(["iperf3", "-c", path.target, "-B", path.source, "-p", str(port), "-u", "-b", "0", "-l", str(datagram), "-w", str(PEER_BUFFER), "-A", "0,1", "-t", str(seconds)],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds + PATIENCE)
        end = json.loads(server.communicate(timeout=PATIENCE)[0])["end"]["sum"]
        return (end["packets"] - end["lost_packets"]) * datagram * 8e-9 / end["seconds"]
    except (subprocess.TimeoutExpired, ValueError, KeyError, ZeroDivisionError) as error:
        raise BenchError(f"iperf3 gave no result: {error}") from None
    finally:
        if server.poll() is None:
            server.kill()
            server.wait()


def gstreamer(path, datagram, seconds):
    """Gbit/s of pixels that rtpvrawdepay gives out of what rtpvrawpay sends: 1280x800 RGB, as fast as it goes."""
    width, height, port = 1280, 800, 5398
    caps = (f"application/x-rtp,media=(string)video,clock-rate=(int)90000,encoding-name=(string)RAW,sampling=(string)RGB,depth=(string)8,"
            f"width=(string){width},height=(string){height},payload=(int)96")
    receiver = subprocess.Popen(path.receiving(["taskset", "-c", "1", "gst-launch-1.0", "-v", "udpsrc", f"address={path.target}", f"port={port}", f"buffer-size={PEER_BUFFER}", f"caps={caps}", "!",
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
                               "udpsink", f"host={path.target}", f"bind-address={path.source}", f"port={port}", "sync=false", f"buffer-size={PEER_BUFFER}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    for process in (sender, receiver):
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    counter.join()
    receiver.stdout.close()
    if len(arrivals) < 10:
        raise BenchError("GStreamer gave out no frames: are its base and good plugins installed?")
    return (len(arrivals) - 1) * width * height * 3 * 8e-9 / (arrivals[-1] - arrivals[0])


def fio(files, depth, seconds):
    """(GB/s, CPU seconds per GB) of reading them: blocks, depth, registered files and buffers as ours, and on huge pages as ours: fio takes its buffers from malloc."""
    command = ["fio", "--name=read", f"--filename={':'.join(map(str, files))}", "--rw=read", "--bs=1M", "--direct=1", "--ioengine=io_uring", f"--iodepth={depth}", "--fixedbufs=1",
               "--registerfiles=1", "--iomem=malloc", "--time_based", f"--runtime={seconds}", "--cpus_allowed=0", "--output-format=json"]
    try:
        done = subprocess.run(["env", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1", *command], check=True, capture_output=True, text=True, timeout=seconds + PATIENCE)
        job = json.loads(done.stdout)["jobs"][0]
        return job["read"]["bw_bytes"] * 1e-9, (job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] / 1000 / (job["read"]["io_bytes"] * 1e-9)
    except (subprocess.SubprocessError, ValueError, KeyError, ZeroDivisionError) as error:
        raise BenchError(f"fio gave no result: {error}") from None
