"""docs/scale.md: what the plan program prints for the files that we ship, and costs computed from it and from what was measured. `--write` writes it again."""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("LW_BIN", ROOT / "build/release/bin"))
PAGE = ROOT / "docs/scale.md"
WALL = "walls/large-32x16.toml"
HOSTS = ("deploy/hosts/100g.json", "deploy/hosts/400g.json")
# A block that is made here: which one, and its text.
BLOCK = re.compile(r"(<!-- made: (?P<what>[^>]*) -->\n\n?).*?(?=\n?<!-- end of made -->)", re.DOTALL)
RUN_PACKETS = 7  # that a flow sends at once, by default


def plan(*options):
    command = ["wall-server", "--wall", WALL, "--plan", *options]
    done = subprocess.run([BIN / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    return " ".join(command), done.stdout


def as_code(text):
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines()) + "\n"


def plan_text(host):
    """The command and its output: of the first server without the long tables, of the others the first line."""
    command, out = plan("--host", host)
    first, *others = re.split(r"^(?=wall on )", out, flags=re.MULTILINE)[1:]
    parts = ["..." if re.match(r" *(node|flow)  ", part) else part for part in first.strip("\n").split("\n\n")]
    shown = [part for i, part in enumerate(parts) if part != "..." or parts[i - 1] != "..."]
    return as_code(command + "\n\n" + "\n\n".join(shown) + "\n\n" + "\n".join(other.splitlines()[0] for other in others))


def table(rows, align):
    return "\n".join(["| " + " | ".join(row) + " |" for row in (rows[0], align, *rows[1:])]) + "\n"


def measured(what, column):
    """A figure of docs/performance.md: of the row that begins so."""
    row = next(line for line in (ROOT / "docs/performance.md").read_text().splitlines() if line.startswith(f"| {what} |"))
    return float(row.split("|")[column + 1].strip().split()[0])


def benched(part, measure, figure="ours"):
    """None if the run has no such row."""
    rows = json.loads((ROOT / "docs/bench.json").read_text())["rows"]
    return next((row[figure] for row in rows if (row["part"], row["measure"]) == (part, measure)), None)


def as_fast_as_it_goes(side, size):
    """CPU time per GB of frames row by row, which the part "packets" compares with those of packets of one shape."""
    slot = {1400: 1408, 8900: 8896}[size]
    return benched("packets", f"packets of one shape, {slot} B, as fast as it goes: CPU time of the {side}", "theirs")


def fast_flow(side):
    """CPU time per GB at the rate that was held; if none was held, as fast as it goes."""
    return benched("path", f"CPU time of the {side} at that rate, 8900 B") or as_fast_as_it_goes(side, 8900)


def of_a_packet(side):
    """CPU time of a packet in seconds, besides that of its bytes: by what small ones cost more. None if the run does not say."""
    small, large = (as_fast_as_it_goes(side, size) for size in (1400, 8900))
    return (small - large) / (1e9 / 1400 - 1e9 / 8900) if small and large else None


def of_encryption(side):
    measure = f"encrypted (SRTP), 8900 B, as fast as it goes: CPU time of the {side}"
    return benched("encrypted", measure) - benched("encrypted", measure, "theirs")


def costs():
    host = json.loads((ROOT / HOSTS[1]).read_text())["facts"]
    plans = json.loads(plan("--json", "--host", HOSTS[1])[1])
    needs = [entry["needs"] for entry in plans]
    total = lambda key: sum(need[key] for need in needs)
    one = needs[0]
    pixels = [total("pixels_gbit_per_s") / 8, one["pixels_gbit_per_s"] / 8]  # GB/s of the wall, and of a server
    flow = one["flows"][0]
    node = one["nodes"][0]
    nodes = len({entry["node"] for need in needs for entry in need["nodes"]})
    reading = benched("read", "CPU time of that")
    best = (fast_flow("sender"), fast_flow("receiver"))
    sealing = (of_encryption("sender"), of_encryption("receiver"))
    slow = [measured("a flow of the large wall", column) for column in (1, 2)]
    cores = lambda cost: [f"{cost * rate:.1f} cores" for rate in pixels]
    disk = host["disks"][0]["read_bytes_per_s"]
    run = RUN_PACKETS * (flow["datagram_bytes"] + 66)  # with UDP, IP and Ethernet's headers, preamble and gap
    rows = [["what", "cost", "the wall", f"one of {len(plans)} servers"],
            ["pixels", "", f"{pixels[0]:.1f} GB/s", f"{pixels[1]:.1f} GB/s"],
            ["on the wire", f"{flow['wire_gbit_per_s'] / flow['pixels_gbit_per_s'] - 1:.1%} of headers",
             *(f"{wire:.1f} Gbit/s, {packets / 1e6:.2f} million packets/s" for wire, packets in
               ((total("wire_gbit_per_s"), total("packets_per_s")), (one["wire_gbit_per_s"], one["packets_per_s"])))],
            ["sending, flows as fast as a core can", f"{best[0]:.3f} s/GB", *cores(best[0])],
            ["sending, flows of this wall", f"{slow[0]:.3f} s/GB", *cores(slow[0])],
            ["receiving, flows as fast as a core can", f"{best[1]:.3f} s/GB", f"{best[1] * pixels[0]:.1f} cores on {nodes} nodes", ""],
            ["receiving, flows of this wall", f"{slow[1]:.3f} s/GB", f"{slow[1] * pixels[0]:.1f} cores on {nodes} nodes, {slow[1] * node['pixels_gbit_per_s'] / 8:.2f} each", ""],
            ["encryption, sending", f"{sealing[0]:.3f} s/GB more", *cores(sealing[0])],
            ["encryption, receiving", f"{sealing[1]:.3f} s/GB more", f"{sealing[1] * pixels[0]:.1f} cores on {nodes} nodes", ""],
            *([f"{name} a packet, besides its bytes", f"{cost * 1e9:.0f} ns", *(f"{cost * rate:.2f} cores" for rate in rates)]
              for name, side, rates in (("sending", "sender", [total("packets_per_s"), one["packets_per_s"]]), ("receiving", "receiver", [total("packets_per_s"), one["packets_per_s"]]))
              if (cost := of_a_packet(side)) is not None),
            ["reading from disks", f"{reading:.4f} s/GB", *cores(reading)],
            ["disks", f"{disk / 1e9:.0f} GB/s each", *(f"{rate:.1f} GB/s: {math.ceil(rate * 1e9 / 0.8 / disk)}, with a fifth to spare" for rate in
                                                       (total("read_bytes_per_s") / 1e9, one["read_bytes_per_s"] / 1e9))],
            ["memory, each byte four times", "", *(f"{4 * rate:.0f} GB/s" for rate in pixels)],
            ["frames in memory", f"{one['server_frames_per_tile']} per tile", *(f"{size / 2**30:.1f} GiB" for size in (total("server_memory_bytes"), one["server_memory_bytes"]))],
            ["a node", "", f"{node['wire_gbit_per_s']:.2f} Gbit/s, {node['packets_per_s']:.0f} packets/s, {node['memory_bytes'] / 2**20:.0f} MiB", ""],
            ["a run of packets in a switch", f"{RUN_PACKETS} packets, {run / 1000:.1f} kB", f"{node['flows']} flows of a node: {node['flows'] * run / 1000:.0f} kB at a port, all nodes {nodes * node['flows'] * run / 1e6:.1f} MB", ""],
            ["content", "", *(f"{rate * 60 / 1000:.2f} TB per minute" for rate in (total("read_bytes_per_s") / 1e9, one["read_bytes_per_s"] / 1e9))]]
    return table(rows, ["---"] * 4)


def shares():
    """How much of each resource of a host a server uses; the largest share first, since that breaks first."""
    columns = []
    for name in HOSTS:
        entry = json.loads(plan("--json", "--host", name, "--server", "a")[1])[0]
        needs, host = entry["needs"], entry["host"]
        card, disks = host["interfaces"][0], host["disks"]
        cores, memory = len(host["topology"]["cores"]), host["topology"]["numa_nodes"][0]["memory_bytes_per_s"]
        wire, pixels = needs["wire_gbit_per_s"], needs["pixels_gbit_per_s"] / 8
        interval_ms = 1000 / float(needs["frame_rate"])
        columns.append({
            "link, mean": wire / card["link_gbit_per_s"],
            "link, while a frame is sent": wire * interval_ms / needs["send_window_ms"] / card["link_gbit_per_s"],
            "the card's slot, while a frame is sent": wire * interval_ms / needs["send_window_ms"] / card["pcie"]["current"]["gbit_per_s"],
            "cores, at 10 Gbit/s each as the plan counts": wire / (10 * cores),
            "cores, at the measured cost of this wall's flows": measured("a flow of the large wall", 1) * pixels / cores,
            "disks": needs["read_bytes_per_s"] / sum(disk["read_bytes_per_s"] for disk in disks),
            "rate of the memory, each byte four times": 4 * pixels * 1e9 / memory,
            "memory": needs["server_memory_bytes"] / host["limits"]["memory_available_bytes"]})
    rows = [[what, *(f"{column[what]:.0%}" for column in columns)] for what in sorted(columns[0], key=columns[0].get, reverse=True)]
    return table([["share of", *(json.loads((ROOT / name).read_text())["facts"]["name"] for name in HOSTS)], *rows], ["---"] * 3)


def made(what):
    kind, *rest = what.split()
    return plan_text(*rest) if kind == "plan" else {"costs": costs, "shares": shares}[kind]()


def page_with_blocks(text):
    return BLOCK.sub(lambda block: block.group(1) + made(block.group("what")), text)


class Scale(unittest.TestCase):
    maxDiff = None

    def test_the_page_shows_what_the_program_prints(self):
        text = PAGE.read_text()
        self.assertEqual(sorted(block.group("what") for block in BLOCK.finditer(text)), ["costs", *(f"plan {host}" for host in HOSTS), "shares"])
        self.assertEqual(text, page_with_blocks(text), f"write it with {pathlib.Path(__file__).relative_to(ROOT)} --write")

    def test_each_figure_of_a_host_has_a_source(self):
        """A source counts for what is below it. Its first word says what it is."""
        def leaves(value, pointer):
            if isinstance(value, dict) and value:
                return [leaf for key, inner in value.items() for leaf in leaves(inner, f"{pointer}/{key}")]
            if isinstance(value, list) and value:
                return [leaf for i, inner in enumerate(value) for leaf in leaves(inner, f"{pointer}/{i}")]
            return [pointer]

        for name in HOSTS:
            report = json.loads((ROOT / name).read_text())
            for pointer in leaves(report["facts"], ""):
                above = [pointer[:i] for i in (*(found.start() for found in re.finditer("/", pointer)), len(pointer)) if i > 0]
                self.assertTrue(any(path in report["sources"] for path in above), f"{name}: {pointer} has no source")
            for pointer, source in report["sources"].items():
                self.assertRegex(source, r"^(vendor|published|measured|configuration|assumption): .{10}", f"{name}: {pointer}")
                if source.startswith(("vendor", "published")):
                    self.assertIn("https://", source, f"{name}: {pointer}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page_with_blocks(PAGE.read_text()))
    else:
        unittest.main(verbosity=2)
