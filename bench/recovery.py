"""How many of the packets that a path loses resends and forward error correction recover, and at what cost: the end-to-end test's paths, for a minute."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/support"))
from relayed import Relayed  # noqa: E402

PATHS = (("1 % lost at random, 20 ms there and back, resends", dict(tile=(640, 400), rate="30", fec="none"), ("--loss-percent", "1", "--delay-ms", "10", "--both")),
         # Of the 100 ms the way there takes 75: frame and parity must leave within the rest.
         ("1 % lost in bursts of 8, 150 ms there and back, FEC 20+4", dict(tile=(640, 400), rate="60", pace_fraction=0.4, fec="20+4"),
          ("--loss-percent", "1", "--loss-burst", "8", "--delay-ms", "75", "--both")))


def measure(seconds):
    """(path, figures) of each: frames due, shown complete, late by more than a frame, dropped by the sender; packets lost, resent, rebuilt; additional bytes, as a share."""
    for name, wall, path in PATHS:
        _, stats, counts = Relayed(frames=30, mtu=1500, playout_delay_ms=100, **wall).play(seconds, *path, with_dump=False)
        report, sender = stats["nodes"][0]["report"], stats["sender"][0]
        flow, tile = report["flows"][0], report["tiles"][0]
        yield name, {"due": tile["frames_due"], "whole": tile["shown_whole"], "late": tile["late"], "skipped": sender["frames_skipped"], "lost": flow["lost"],
                     "resent": flow["repaired"], "rebuilt": flow["rebuilt"], "relay_lost": counts["forward"]["lost"],
                     "more": (sender["resent_bytes"] + sender["parity_bytes"]) / sender["bytes"]}


def rows(bench):
    """How much is recovered, and for how much additional bandwidth."""
    for path, seen in measure(5 if bench.options.quick else 62 if bench.options.only else 15):
        share = seen["whole"] / seen["due"]
        bench.row(path, share, "of the frames", **seen,
                  text=f"{seen['whole']} of {seen['due']} frames complete ({share:.2%}), {seen['late']} late, {seen['skipped']} dropped by the sender; {seen['relay_lost']} packets lost, "
                       f"{seen['resent']} recovered by resends, {seen['rebuilt']} rebuilt; {seen['more']:.2%} more bandwidth")
