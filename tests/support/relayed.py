"""A wall whose flows pass relays, and what must hold whatever the relays do."""
import contextlib
import json
import subprocess
import time

import numpy as np
from PIL import Image

from pictures import make_source, shown_lines
from wall import Control, Wall, program, start, stop


class Relayed:
    """A wall of one tile whose server sends to a relay, which sends on to the node."""

    def __init__(self, tile, frames, *, rate="30", **streaming):
        self.wall = Wall(1, 1, tile=tile, rate=rate, **streaming)
        self.pictures = make_source(self.wall.folder / "source", self.wall.picture, frames)
        self.wall.ingest(self.wall.folder / "source", "noise", "--rate", rate)
        self.server_file = self.wall.folder / "server.toml"
        self.server_file.write_text(self.wall.file.read_text().replace('address = "127.0.0.1"', 'address = "127.0.0.3"'))

    def relay(self, *impair):
        base = self.wall.streaming["base_port"]
        last = base + 2 * self.wall.flows - 1
        process = start(program("wall-probe"), "impair", "--listen", f"127.0.0.3:{base}-{last}", "--to", f"127.0.0.1:{base}",
                        "--from", f"127.0.0.1:{self.wall.streaming['source_port'] - 10000}", "--json", "--seed", "5", *impair,
                        stdout=subprocess.PIPE, text=True)
        time.sleep(0.3)
        return process

    def two_paths(self, change=lambda text: text):
        """The node has two addresses, each behind a relay. Returns what starts the relay of one of them, 0 or 1."""
        wall, plain = self.wall, change(self.wall.file.read_text())
        reached, relayed = ("127.0.0.1", "127.0.0.2"), ("127.0.0.3", "127.0.0.4")
        with_addresses = lambda text, first, second: text.replace('address = "127.0.0.1"', f'address = "{first}"\nsecond_address = "{second}"')
        wall.file.write_text(with_addresses(plain, *reached))
        base, back = wall.streaming["base_port"], wall.streaming["source_port"] - 10000
        front = base - 12000  # the node has its ports on all addresses
        self.server_file.write_text(with_addresses(plain, *relayed).replace(f"base_port = {base}", f"base_port = {front}"))
        return lambda path, *impair: start(program("wall-probe"), "impair", "--listen", f"{relayed[path]}:{front}-{front + 1}",
                                           "--to", f"{reached[path]}:{base}", "--from", f"{reached[path]}:{back}", *impair)

    def play(self, seconds, *impair, with_dump=True):
        """The frames shown, the final figures, and the relay's counts."""
        relay = self.relay(*impair)
        dump = self.wall.folder / "dump"
        client = self.wall.client("node-0-0", "--headless", *(["--dump", dump] if with_dump else []))
        time.sleep(0.3)
        server = start(program("wall-server"), "--wall", self.server_file, "--content", self.wall.content, "--play", "noise")
        time.sleep(seconds)
        stats = self.wall.call("stats")
        for process in (client, server, relay):
            assert stop(process) == 0
        counts = [json.loads(line) for line in relay.stdout.read().splitlines()][-1]
        return dump, stats, counts


class RelayedChecks:
    """For a TestCase."""

    def same_pictures(self, relayed, dump, least):
        files = sorted((dump / "tile-0-0").glob("*.png"))
        self.assertGreaterEqual(len(files), least)
        # A frame that is shown again replaces its image: what counts is whether it was complete then.
        newest = {line["frame"]: line["whole"] for line in shown_lines(dump)}
        whole = {frame for frame, was_whole in newest.items() if was_whole}
        for file in files:
            if int(file.stem) in whole:
                np.testing.assert_array_equal(np.asarray(Image.open(file).convert("RGB")), relayed.pictures[int(file.stem)], str(file))

    def mostly_whole(self, tile):
        # Without the tested feature, a third to three quarters of the frames would be incomplete; stalls of a busy machine also cost some.
        self.assertGreater(tile["shown_whole"], 0.85 * tile["frames_due"], tile)

    def figures(self, stats):
        report = stats["nodes"][0]["report"]
        flow, tile = report["flows"][0], report["tiles"][0]
        self.assertEqual(flow["packets"], flow["used"] + flow["duplicates"] + flow["late"] + flow["invalid"] + flow["parity"])
        self.assertEqual(tile["frames_due"], tile["shown_whole"] + tile["shown_concealed"] + tile["not_shown"])
        return flow, tile

    def cut_one_of_two_paths(self, relayed):
        wall = relayed.wall
        relay = relayed.two_paths(lambda text: text.replace('interfaces = ["127.0.0.1"]', 'interfaces = ["127.0.0.1", "127.0.0.2"]'))
        paths = [relay(0), relay(1)]
        dump = wall.folder / "dump"
        client = wall.client("node-0-0", "--headless", "--dump", dump)
        time.sleep(0.5)
        server = start(program("wall-server"), "--wall", relayed.server_file, "--content", wall.content, "--play", "noise")
        time.sleep(3)
        stop(paths[0])
        time.sleep(2)
        paths[0] = relay(0)
        time.sleep(2)
        stats = wall.call("stats")
        with contextlib.closing(Control(wall.control)) as control:
            events = [event["code"] for event in control.call("subscribe", stats=False, events=True)["events"]]
        for process in (client, server, *paths):
            self.assertEqual(stop(process), 0)
        flow, tile = self.figures(stats)
        self.assertEqual(flow["lost"], 0)
        self.assertGreater(flow["second_path"], 0.45 * flow["packets"])
        self.assertGreater(flow["duplicates"], 0.3 * flow["second_path"])
        self.mostly_whole(tile)
        self.same_pictures(relayed, dump, 30)
        self.assertLess(events.index("path-lost"), events.index("path-back"))
