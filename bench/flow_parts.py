"""The parts of the bench that send flows: ours beside the bare kernel pair, iperf3 and GStreamer, and ours with and without what it can do."""
import contextlib
import math
import secrets
import shutil
import statistics
import tempfile

import lossless
import programs
from lossless import BenchError

SIZES = (1400, 8900)
SLOTS = {1400: 1408, 8900: 8896}  # datagrams of such a size that fill a slot
METRICS_GBIT = 5  # a rate that every machine of these days holds
SENDER_CPU = 0  # of a flow, by default
ONE_AFTER_THE_OTHER = "1 / (1 / clear + 1 / OpenSSL): a core that sends each packet as in the clear, and encrypts it as fast as `openssl speed -aead` does on that core."
STORED = "Ours: frames lie as packets, of 1408 and 8896 bytes."
ON_LOOPBACK = "Over loopback the sender's thread does the kernel's work of receiving as well, up to the receiver's socket: between two hosts a sender takes less CPU time and a receiver more."


def mebibytes(count):
    return f"{count / (1 << 20):.0f} MiB"


def peer_note(flow, what):
    ours = flow.facts.get("receive_buffer_bytes")
    socket = f"socket buffers of {mebibytes(programs.granted('rmem_max'))} (`net.core.rmem_max`)" + (f", where ours are {mebibytes(ours)} by privilege; " if ours else "; ")
    return socket + what


def iperf3_note(flow):
    return "iperf3: " + peer_note(flow, "small pages. It sends as fast as it can, loses packets and places nothing; what it received counts.")


def gstreamer_note(flow):
    return "GStreamer: " + peer_note(flow, "small pages. Both in Gbit/s of pixels; it sends as fast as it can, and frames that lost packets count as well.")


# name, program, what measures it, how many times at most, what we must reach of it by datagram, what differs, whether it counts pixels only
PEERS = (("iperf3", "iperf3", programs.iperf3, 5, {1400: 7, 8900: 1.35}, iperf3_note, False),
         ("GStreamer, rtpvrawpay and depay", "gst-launch-1.0", programs.gstreamer, 3, {1400: 10, 8900: 2.8}, gstreamer_note, True))


class Peers:
    """What each gave in the rounds so far, or why it gave nothing."""

    def __init__(self, bench, datagram):
        self.bench, self.datagram = bench, datagram
        self.rates = {peer[0]: [] for peer in PEERS}
        self.why = {}

    def measure(self):
        for name, program, measure, most, *_ in PEERS:
            if self.bench.options.peer == "none" or name in self.why or len(self.rates[name]) == most:
                continue
            if not shutil.which(program):
                self.why[name] = f"{program} is not installed"
                continue
            try:
                self.rates[name].append(measure(self.bench.over, self.datagram, 1 if self.bench.options.quick else 3))
            except BenchError as error:
                self.why[name] = str(error)

    def rows(self, flow, held):
        """Held against what the peer received."""
        for name, _, _, _, least, note, pixels_only in PEERS:
            if self.bench.options.peer == "none":
                return
            measure = f"held without a loss, {self.datagram} B" + (", pixels only" if pixels_only else "")
            rates = self.rates[name]
            mark = held.mark or (None if rates else self.why.get(name, "not measured"))
            ours = None if held.mark else held.received() * (held.results[0]["pixel_share"] if pixels_only else 1)
            self.bench.row(measure, ours, "Gbit/s", peer=name, theirs=statistics.median(rates) if rates else None, least=least[self.datagram], note=note(flow), mark=mark)


def ceiling_of(bench, datagram):
    """More than can be held: what the bare pair sends while the receiver loses."""
    if bench.options.ceiling:
        return bench.options.ceiling
    return max(programs.measured("bare", "--address", bench.over.target, "--datagram", datagram, "--gbit", 0, "--seconds", 0.5)["sent_gbit_per_s"] for _ in range(3))


def path(bench):
    for datagram in SIZES:
        bench.say(f"one flow, {datagram}-byte datagrams: looking for the highest lossless rates")
        with contextlib.ExitStack() as open_until_done:
            one_flow(bench, datagram, lambda made: open_until_done.enter_context(contextlib.closing(made)))


def one_flow(bench, datagram, keep, Flow=programs.Flow, Bare=programs.Bare, ceiling_of=ceiling_of):
    """One flow, one core each side, whose frames lie as packets: the bare pair and, every third time, a flow with all defaults in turns with it; the other tools between the rounds."""
    try:
        ceiling = ceiling_of(bench, datagram)
        us = keep(Flow(bench.over, SLOTS[datagram], ceiling, "--cut", "stored"))
        bare = [] if bench.over.remote else [keep(Bare(bench.over, datagram, ceiling, us.facts))]
        shipped = keep(Flow(bench.over, datagram, ceiling, "--defaults", name="Lambdawall, all defaults"))
    except BenchError as error:
        return bench.row(f"highest lossless rate, one flow, {datagram} B", mark=f"no rate was held: {error}")
    peers = Peers(bench, datagram)
    # Without the bare pair the flow itself is what the other is compared with, and the other is asked every time.
    senders = [us, *bare, shipped] if bare else [shipped, us]
    ours, beside, defaults = (0, 1, 2) if bare else (1, None, 0)
    found = lossless.race(senders, ceiling, bench.run_seconds, bench.rounds, bench.turns, bench.say, peers.measure, bench.time_left)
    measure = f"highest lossless rate, one flow, {datagram} B"
    if bare:
        bench.row(measure, found.rate(ours), "Gbit/s", peer="bare kernel pair", theirs=found.rate(beside), ratio=found.ratio(ours, beside), least={1400: 0.93, 8900: 0.98}[datagram], note=STORED, mark=found.marks[ours] or found.marks[beside],
                  rounds=found.rates[ours], peer_rounds=found.rates[beside], facts=us.facts)
    else:
        bench.row(measure, found.rate(ours), "Gbit/s", mark=found.marks[ours], rounds=found.rates[ours], note=STORED)
    bench.row(f"the same with all defaults (frames row behind row, resending, bursts by rate, pacing over 0.9), {datagram} B", found.rate(defaults), "Gbit/s", peer="as above", theirs=found.rate(ours),
              ratio=found.ratio(defaults, ours), least=0.9, mark=found.marks[defaults] or found.marks[ours], rounds=found.rates[defaults])
    bench.say(f"  holding a rate for {bench.rounds} x {bench.long_seconds:g} s")
    held = lossless.held(us, found.rate(ours), bench.long_seconds, bench.rounds, bench.say, bench.time_left)
    held_rows(bench, datagram, held)
    peers.rows(us, held)


def held_rows(bench, datagram, held):
    seconds = bench.rounds * bench.long_seconds
    measure = f"held for {seconds:g} s without a loss, one flow, {datagram} B"
    if held.mark:
        return bench.row(measure, mark=held.mark)
    middle = {key: statistics.median(result[key] for result in held.results) for key in
              ("in_place", "packets_per_send_call", "packets_per_receive_call", "sender_cpu_s_per_gb", "receiver_cpu_s_per_gb") if all(key in result for result in held.results)}
    dropped = 1 - held.received() / held.gbit
    bench.row(measure, held.received(), "Gbit/s", text=f"{held.received():.3g} Gbit/s; {dropped:.1%} of the frames dropped by the sender when the host stalled", asked=held.gbit, **middle)
    note = None if bench.over.remote else ON_LOOPBACK
    for side, call in (("sender", "send"), ("receiver", "receive")):
        if f"{side}_cpu_s_per_gb" not in middle:
            continue
        bench.row(f"CPU time of the {side} at that rate, {datagram} B", middle[f"{side}_cpu_s_per_gb"], "s/GB", note=note)
        bench.row(f"packets per system call of the {side} at that rate, {datagram} B", middle[f"packets_per_{call}_call"])


def in_rounds(values, rounds):
    """(median, lowest, highest) of the medians of so many rounds."""
    size = max(1, math.ceil(len(values) / rounds))
    return lossless.spread([statistics.median(values[i:i + size]) for i in range(0, len(values), size)])


def alternating(bench, ways, runs):
    """{way: results}, of functions that measure, in turns and each time in another order."""
    results = {way: [] for way in ways}
    names = list(ways)
    for turn in range(runs):
        for i in lossless.in_turns(len(names), turn):
            results[names[i]].append(ways[names[i]]())
    return results


def compare(bench, measure, results, way, beside, key, unit, runs=None, **more):
    """A row of one way beside another, by the median of the turns' ratios."""
    pairs = [(a[key], b[key]) for a, b in zip(results[way], results[beside]) if a.get(key) and b.get(key)]
    mark = None if pairs else f"{key} was not measured"
    bench.row(measure, statistics.median(a for a, _ in pairs) if pairs else None, unit, peer=beside, theirs=statistics.median(b for _, b in pairs) if pairs else None,
              ratio=in_rounds([a / b for a, b in pairs], runs or bench.rounds), mark=mark, **more)


def assembly(bench):
    for datagram in SIZES:
        ways = {way: lambda who=who, datagram=datagram: programs.unthrottled(bench.over, datagram, bench.probe_seconds, "--assemble", who)
                for way, who in (("runs put together by the sender", "user"), ("gathered by the kernel", "kernel"))}
        results = alternating(bench, ways, bench.few)
        compare(bench, f"runs put together by the sender, {datagram} B, as fast as it goes", results, "runs put together by the sender", "gathered by the kernel", "received_gbit_per_s", "Gbit/s")


def packets(bench):
    """Packets of one shape, from frames row behind row and from frames that lie as these packets, beside packets that hold as much as fits."""
    for datagram in SIZES:
        ways = {"packets as full as possible": "rows", "packets of one shape": "slots", "packets ready in memory": "stored"}
        results = alternating(bench, {way: lambda cut=cut, datagram=datagram: programs.unthrottled(bench.over, SLOTS[datagram], bench.probe_seconds, "--cut", cut) for way, cut in ways.items()}, bench.few)
        full, *others = ways
        for way in others:
            for what, words, unit in (("received_gbit_per_s", "rate", "Gbit/s"), ("sender_cpu_s_per_gb", "CPU time of the sender", "s/GB"), ("receiver_cpu_s_per_gb", "CPU time of the receiver", "s/GB")):
                compare(bench, f"{way}, {SLOTS[datagram]} B, as fast as it goes: {words}", results, way, full, what, unit, note=ON_LOOPBACK if "cpu" in what else None)


def metrics(bench):
    """What measuring costs: CPU time at a fixed rate, with counts only, with all that a wall measures, and with a record of each packet."""
    if bench.over.remote:
        return bench.row("all metrics", mark="not measured with --remote: this needs the CPU time of both sides")
    turns = 6 if bench.options.quick else 20
    for datagram in SIZES:
        with contextlib.ExitStack() as stack:
            flows = {way: stack.enter_context(contextlib.closing(programs.Flow(bench.over, datagram, METRICS_GBIT, "--measure", what)))
                     for way, what in (("counts only", "counts"), ("all metrics", "all"), ("all metrics and a record of each packet", "packets"))}

            def cpu(flow):
                result = flow.run(METRICS_GBIT, 0.5)
                return {"cpu": result["sender_cpu_s_per_gb"] + result["receiver_cpu_s_per_gb"]}

            results = alternating(bench, {way: lambda flow=flow: cpu(flow) for way, flow in flows.items()}, turns)
        measure = f"{datagram} B at {METRICS_GBIT} Gbit/s, CPU time of both sides: "
        compare(bench, measure + "all metrics", results, "all metrics", "counts only", "cpu", "s/GB", most=1.03)
        compare(bench, measure + "a record of each packet as well", results, "all metrics and a record of each packet", "all metrics", "cpu", "s/GB", most=1.1)


def encrypted(bench):
    """What SRTP costs: one flow as fast as it goes, encrypted and in the clear, and how fast OpenSSL alone encrypts such packets on the sender's core."""
    if bench.over.remote:
        return bench.row("encrypted (SRTP)", mark="not measured with --remote: the key would have to be there as well")
    seconds = bench.probe_seconds / 2
    one_after_the_other = "in the clear and OpenSSL one after the other"
    with tempfile.NamedTemporaryFile("w", suffix=".key") as key:
        key.write(secrets.token_hex(32))
        key.flush()
        for datagram in SIZES:
            results = alternating(bench, {"encrypted": lambda: programs.unthrottled(bench.over, datagram, seconds, "--srtp-key", key.name),
                                          "OpenSSL": lambda: {"gbit_per_s": programs.openssl(datagram, SENDER_CPU)},
                                          "in the clear": lambda: programs.unthrottled(bench.over, datagram, seconds)}, 3 if bench.options.quick else 4)
            # The sender's core does both for each packet, while the receiver's decrypts what came before.
            results[one_after_the_other] = [{"received_gbit_per_s": one_after_another(clear["received_gbit_per_s"], alone["gbit_per_s"])}
                                            for clear, alone in zip(results["in the clear"], results["OpenSSL"])]
            measure = f"encrypted (SRTP), {datagram} B, as fast as it goes: "
            alone = statistics.median(result["gbit_per_s"] for result in results["OpenSSL"])
            compare(bench, measure + "rate beside that of its parts", results, "encrypted", one_after_the_other, "received_gbit_per_s", "Gbit/s", least=0.9, note=ONE_AFTER_THE_OTHER, openssl_gbit_per_s=alone)
            for what, words, unit in (("received_gbit_per_s", "rate", "Gbit/s"), ("sender_cpu_s_per_gb", "CPU time of the sender", "s/GB"), ("receiver_cpu_s_per_gb", "CPU time of the receiver", "s/GB")):
                compare(bench, measure + words, results, "encrypted", "in the clear", what, unit, note=ON_LOOPBACK if "cpu" in what else None)


def one_after_another(*rates):
    """The rate of what does all of this to each byte."""
    return 1 / sum(1 / rate for rate in rates)


def bursts(bench):
    ways = {burst: lambda burst=burst: bench.over.flow("--gbit", 4, "--datagram", 1400, "--burst", burst, seconds=bench.probe_seconds) for burst in (1, 4, 8, 16, 44)}
    for burst, results in alternating(bench, ways, bench.few).items():
        if bench.over.remote:
            return bench.row("bursts", mark="not measured with --remote: this needs the CPU time of both sides")
        middle = {key: statistics.median(result[key] for result in results) for key in ("packets_per_send_call", "packets_per_receive_call")}
        bench.row(f"bursts of {burst} x 1400 B at 4 Gbit/s, CPU time of both sides", statistics.median(result["sender_cpu_s_per_gb"] + result["receiver_cpu_s_per_gb"] for result in results), "s/GB", **middle)


def flows(bench):
    """As many bytes in memory on both sides of the comparison."""
    both = ("--sender-cpus", "0,1", "--receiver-cpus", "1,0")
    results = alternating(bench, {"16 flows": lambda: programs.unthrottled(bench.over, 8900, bench.probe_seconds, "--flows", 16, "--width", 960, "--rows", 540, *both),
                                  "1 flow": lambda: programs.unthrottled(bench.over, 8900, bench.probe_seconds, "--width", 3840, "--rows", 2160, *both)}, bench.rounds)
    compare(bench, "16 flows on 2 cores, 8900 B, as fast as it goes", results, "16 flows", "1 flow", "received_gbit_per_s", "Gbit/s", least=0.9)


def placement(bench):
    """One flow by where its two threads run; and with a receiver that looks for packets before it sleeps."""
    ways = {"on separate cores": ("0", "1", 0), "not pinned": ("-1", "-1", 0), "both on one core": ("0", "0", 0), "on separate cores, busy polling 50 us": ("0", "1", 50)}
    results = alternating(bench, {way: lambda sender=sender, receiver=receiver, poll=poll: programs.unthrottled(bench.over, 8900, bench.probe_seconds, "--sender-cpus", sender, "--receiver-cpus", receiver, "--busy-poll-us", poll)
                                  for way, (sender, receiver, poll) in ways.items()}, bench.few)
    for way in list(ways)[1:]:
        compare(bench, f"one flow, 8900 B, as fast as it goes: threads {way}", results, way, "on separate cores", "received_gbit_per_s", "Gbit/s")


def spacing(bench):
    """ST 2110-21 of a flow paced by the gapped schedule; narrow is asked for where one packet leaves at a time at 1 Gbit/s, and the core was idle."""
    for gbit in (1, 4):
        for burst in (1, 8, 44):
            results = [programs.measured("spacing", "--from", bench.over.source, "--to", bench.over.source, "--gbit", gbit, "--datagram", 1400, "--burst", burst, "--seconds", 1) for _ in range(bench.few)]
            cinst, vrx, narrow, stalls = (statistics.median(result[key] for result in results) for key in ("cinst_max", "vrx_max_gapped", "frames_narrow", "core_stalls_per_s"))
            measure = (f"ST 2110-21 at {gbit} Gbit/s, bursts of {burst} x 1400 B: Cinst, VRX (narrow: {results[0]['narrow_cinst']:.0f}, {results[0]['narrow_vrx']:.0f}; "
                       f"wide: {results[0]['wide_cinst']:.0f}, {results[0]['wide_vrx']:.0f})")
            if any(result["frames"] < 0.9 * result["frames_sent"] for result in results):
                bench.row(measure, mark="one core does not send that many packets")
                continue
            classes = ", ".join(result["class"] for result in results)
            bench.row(measure, cinst, "packets", text=f"{cinst:.0f}, {vrx:.0f}; {narrow:.0%} of the frames narrow; runs: {classes}; stalls of the idle core: {stalls:.0f}/s", vrx=vrx)
