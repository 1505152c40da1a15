"""How the captures `flow-*.pcap` and their figures were made, but for flow-fec-resends, which README.md describes.

    unshare -n sh -c 'ip link set lo up; LW_BIN=build/release/bin /usr/bin/python3 tests/compat/make_captures.py FOLDER'

The existing ones are never made again; other builds make new ones for comparison.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import time

from as_then import wall_of_stores
from wall import program, run, start, stop, wait_until

PORTS = {"base_port": 50000, "source_port": 40000}
PACKETS = 160
IN_STEP = '[clock]\nsource = "wall"\n[sync]\nmode = "wall"\n'


def two_paths(text):
    return text.replace('address = "127.0.0.1"', 'address = "127.0.0.1"\nsecond_address = "127.0.0.2"').replace(
        'interfaces = ["127.0.0.1"]', 'interfaces = ["127.0.0.11", "127.0.0.12"]')


def ipv6(text):
    return text.replace('address = "127.0.0.1"', 'address = "::1"').replace('interfaces = ["127.0.0.1"]', 'interfaces = ["::1"]')


# Name: what plays, the wall's settings, and what is changed in its file.
KINDS = {
    "flow-ycbcr422-8": ("ycbcr422-8", {}, None),
    "flow-ycbcr422-10": ("ycbcr422-10", {}, None),
    "flow-encrypted": ("rgb8", {"srtp_key_file": "media.key", "fec": "10+2"}, None),
    "flow-two-paths": ("rgb8", {}, two_paths),
    "flow-ipv6-in-step": ("rgb8", {"sections": IN_STEP}, ipv6),
}


def capture(name, folder):
    plays, settings, change = KINDS[name]
    wall = wall_of_stores(mtu=1500, burst_packets=1, **PORTS, **settings)
    if change:
        wall.file.write_text(change(wall.file.read_text()))
    if "srtp_key_file" in settings:
        key = wall.folder / "media.key"
        key.write_text(bytes(range(32)).hex() + "\n")
        key.chmod(0o600)
    whole = wall.folder / "whole.pcap"
    # The first flow, both ways.
    tshark = start("tshark", "-q", "-i", "lo", "-f", "udp portrange 50000-50001", "-F", "pcap", "-w", whole, "-a", "duration:6", stderr=subprocess.DEVNULL)
    time.sleep(2)
    server = wall.server("--play", plays, "--log", "error")
    client = wall.client("both", "--headless", "--log", "error")
    wait_until(lambda: tshark.poll() is not None, 20, "the end of the capture")
    assert (stop(client), stop(server)) == (0, 0)
    kept = folder / f"{name}.pcap"
    # From the third second on: all who take part know each other.
    subprocess.run(["editcap", "-r", "-F", "pcap", whole, kept, f"200-{199 + PACKETS}"], check=True)
    result = run(program("wall-probe"), "analyze", kept, "--json")
    assert result.returncode == 0, result.stderr
    (folder / f"{name}.json").write_text(result.stdout)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for name in KINDS:
        capture(name, folder)
        print(name, os.path.getsize(folder / f"{name}.pcap"))


if __name__ == "__main__":
    main()
