"""Clocks that are wrong in a known way, and what a wall makes of them."""
import os
import time

from pictures import shown_lines


class WrongClock:
    """A host's clock as fake_clock.c makes it, and the way back from its time to the true one."""

    def __init__(self, offset_s, drift_ppm, step_after_s=0, step_s=0):
        self.start = time.time_ns()
        self.offset, self.drift_ppb = round(offset_s * 1e9), round(drift_ppm * 1e3)
        self.step_at = self.start + round(step_after_s * 1e9) if step_after_s else 0
        self.step = round(step_s * 1e9)

    def environment(self):
        return {**os.environ, "LD_PRELOAD": os.environ["LW_FAKE_CLOCK"], "FAKE_CLOCK": f"{self.start} {self.offset} {self.drift_ppb} {self.step_at} {self.step}"}

    def ahead(self, truth):
        return self.offset + (truth - self.start) * self.drift_ppb // 10**9 + (self.step if self.step_at and truth >= self.step_at else 0)

    def truth(self, shown):
        """Of a time that this clock showed before it was set."""
        elapsed = shown - self.offset - self.start
        return self.start + elapsed * 10**9 // (10**9 + self.drift_ppb)


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def skews_ms(clocks, dumps):
    """Of each frame over all nodes' tiles, by the true times of its swaps, from the second second on."""
    swaps = {}
    for node, clock in clocks.items():
        for line in shown_lines(dumps[node]):
            swaps.setdefault(line["pts_ns"], []).append(clock.truth(line["system_ns"]))
    first = min(swaps) + 2 * 10**9
    return [(max(times) - min(times)) / 1e6 for pts, times in swaps.items() if pts > first and len(times) == len(clocks)]


def clock_of(wall, node):
    report = next(entry for entry in wall.call("stats")["nodes"] if entry["node"] == node).get("report")
    return report["clock"] if report else {"state": "none"}


def check_bounds(test, wall, clocks, seconds, leader=None):
    """Each report's error bound holds; the largest true error and the largest bound. `leader`: the coordinator's clock, if that is wrong."""
    worst = bound = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for entry in wall.call("stats")["nodes"]:
            clock = entry["report"]["clock"]
            if clock["state"] == "waiting":
                continue
            truth = time.time_ns() - round(entry["age_s"] * 1e9)
            # 10 us: drift within the 200 ms by which `truth` may be off.
            wall_ahead = leader.ahead(truth) if leader else 0
            error_us = abs(clock["offset_us"] + (clocks[entry["node"]].ahead(truth) - wall_ahead) / 1000)
            test.assertLessEqual(error_us, clock["error_us"] + 10, entry["node"])
            worst, bound = max(worst, error_us), max(bound, clock["error_us"])
        time.sleep(0.15)
    return worst, bound
