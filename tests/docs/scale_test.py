"""docs/scale.md and docs/what-to-buy.md: what the plan program prints for the files that we ship, and costs computed from it and from what was measured. `--write` writes them again."""
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
WALL = "walls/large-32x16.toml"
HOSTS = ("deploy/hosts/100g.json", "deploy/hosts/400g.json")
# Walls to buy, and the host that each server of them is.
BOUGHT = {"walls/office-2x2.toml": "deploy/hosts/10g.json", "walls/sara-5x3.toml": "deploy/hosts/50g.json", WALL: "deploy/hosts/400g.json"}
PAGES = {"docs/scale.md": ["costs", *(f"plan {WALL} {host}" for host in reversed(HOSTS)), "shares"],
         "docs/what-to-buy.md": ["needs", *(f"plan {wall} {host}" for wall, host in BOUGHT.items() if wall != WALL), f"verdicts {WALL} {BOUGHT[WALL]}"]}
# A block that is made here: which one, and its text.
BLOCK = re.compile(r"(<!-- made: (?P<what>[^>]*) -->\n\n?).*?(?=\n?<!-- end of made -->)", re.DOTALL)
RUN_PACKETS = 7  # that a flow sends at once, by default


def plan(wall, *options):
    command = ["wall-server", "--wall", wall, "--plan", *options]
    done = subprocess.run([BIN / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    return " ".join(command), done.stdout


def as_code(text):
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines()) + "\n"


def plan_text(wall, host):
    """The command and its output: of the first server without the long tables, of the others the first line."""
    command, out = plan(wall, "--host", host)
    first, *others = re.split(r"^(?=wall on )", out, flags=re.MULTILINE)[1:]
    parts = ["..." if re.match(r" *(node|flow)  ", part) else part for part in first.strip("\n").split("\n\n")]
    shown = [part for i, part in enumerate(parts) if part != "..." or parts[i - 1] != "..."]
    return as_code(command + "\n\n" + "\n\n".join(shown) + "\n\n" + "\n".join(other.splitlines()[0] for other in others))


def verdicts(wall, host):
    """The command, and the first line for each server."""
    command, out = plan(wall, "--host", host)
    return as_code(command + "\n\n" + "\n".join(re.findall(r"^wall on .*", out, flags=re.MULTILINE)))


def needs():
    """What the walls to buy need, side by side."""
    rows = [["", *(f"[{pathlib.Path(wall).stem}](../{wall})" for wall in BOUGHT)]]
    plans = [json.loads(plan(wall, "--json", "--host", host)[1]) for wall, host in BOUGHT.items()]
    add = lambda what, figure: rows.append([what, *(figure([entry["needs"] for entry in servers]) for servers in plans)])
    total = lambda key: lambda servers: sum(server[key] for server in servers)
    nodes = lambda servers: {node["node"]: node for server in servers for node in server["nodes"]}.values()
    add("pixels", lambda s: f"{total('pixels_gbit_per_s')(s):.1f} Gbit/s")
    add("on the wire", lambda s: f"{total('wire_gbit_per_s')(s):.1f} Gbit/s, {total('packets_per_s')(s) / 1e6:.2f} million packets/s")
    add("servers", lambda s: str(len(s)))
    add("each server: flows", lambda s: str(max(len(server["flows"]) for server in s)))
    add("each server: on the wire, and while a frame is sent", lambda s: f"{s[0]['wire_gbit_per_s']:.1f} and {s[0]['wire_gbit_per_s'] * 1000 / fraction(s[0]['frame_rate']) / s[0]['send_window_ms']:.1f} Gbit/s")
    add("each server: from disk", lambda s: f"{s[0]['read_bytes_per_s'] / 1e9:.2f} GB/s")
    add("each server: memory", lambda s: f"{s[0]['server_memory_bytes'] / 2**30:.1f} GiB")
    add("nodes", lambda s: str(len(nodes(s))))
    add("each node: tiles, flows", lambda s: "{tiles}, {flows}".format(**max(nodes(s), key=lambda node: node["flows"])))
    add("each node: on the wire", lambda s: f"{max(node['wire_gbit_per_s'] for node in nodes(s)):.2f} Gbit/s")
    add("each node: memory", lambda s: f"{max(node['memory_bytes'] for node in nodes(s)) / 2**20:.0f} MiB")
    add("each flow's receive buffer", lambda s: f"{s[0]['receive_buffer_bytes'] / 2**20:.1f} MiB")
    add("a minute of content", lambda s: f"{total('read_bytes_per_s')(s) * 60 / 1e9:.0f} GB")
    return table(rows, ["---"] * len(rows[0]))


def fraction(rate):
    over, _, under = rate.partition("/")
    return float(over) / float(under or 1)


def table(rows, align):
    return "\n".join(["| " + " | ".join(row) + " |" for row in (rows[0], align, *rows[1:])]) + "\n"


def measured(what, column):
    """A figure of docs/performance.md: of the row that begins so."""
    row = next(line for line in (ROOT / "docs/performance.md").read_text().splitlines() if line.startswith(f"| {what} |"))
    return float(row.split("|")[column + 1].strip().split()[0])


def benched(part, measure):
    return next(row["ours"] for row in json.loads((ROOT / "docs/bench.json").read_text())["rows"] if (row["part"], row["measure"]) == (part, measure))


def costs():
    host = json.loads((ROOT / HOSTS[1]).read_text())["facts"]
    plans = json.loads(plan(WALL, "--json", "--host", HOSTS[1])[1])
    needs = [entry["needs"] for entry in plans]
    total = lambda key: sum(need[key] for need in needs)
    one = needs[0]
    pixels = [total("pixels_gbit_per_s") / 8, one["pixels_gbit_per_s"] / 8]  # GB/s of the wall, and of a server
    flow = one["flows"][0]
    node = one["nodes"][0]
    nodes = len({entry["node"] for need in needs for entry in need["nodes"]})
    reading = benched("read", "CPU time of that")
    best = [benched("packets", f"packets ready in memory, 8896 B, as fast as it goes: CPU time of the {side}") for side in ("sender", "receiver")]
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
        entry = json.loads(plan(WALL, "--json", "--host", name, "--server", "a")[1])[0]
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
    return {"plan": plan_text, "verdicts": verdicts, "needs": needs, "costs": costs, "shares": shares}[kind](*rest)


def page_with_blocks(text):
    return BLOCK.sub(lambda block: block.group(1) + made(block.group("what")), text)


class Scale(unittest.TestCase):
    maxDiff = None

    def test_the_pages_show_what_the_program_prints(self):
        for page, blocks in PAGES.items():
            text = (ROOT / page).read_text()
            self.assertEqual([block.group("what") for block in BLOCK.finditer(text)], blocks)
            self.assertEqual(text, page_with_blocks(text), f"write it with {pathlib.Path(__file__).relative_to(ROOT)} --write")

    def test_each_figure_of_a_host_has_a_source(self):
        """A source counts for what is below it. Its first word says what it is."""
        def leaves(value, pointer):
            if isinstance(value, dict) and value:
                return [leaf for key, inner in value.items() for leaf in leaves(inner, f"{pointer}/{key}")]
            if isinstance(value, list) and value:
                return [leaf for i, inner in enumerate(value) for leaf in leaves(inner, f"{pointer}/{i}")]
            return [pointer]

        hosts = sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / "deploy/hosts").glob("*.json"))
        self.assertLessEqual({*HOSTS, *BOUGHT.values()}, {*hosts})
        for name in hosts:
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
        for page in PAGES:
            (ROOT / page).write_text(page_with_blocks((ROOT / page).read_text()))
    else:
        unittest.main(verbosity=2)
