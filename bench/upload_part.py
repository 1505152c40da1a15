"""What the presenter's thread spends on a frame of 4K: copied before the upload, as it was, and read by the GPU where the kernel has put it."""
import statistics

import programs

COPIED = ("client", "mapped")
IN_PLACE = ("pinned", "driver")
SOFTWARE = ("llvmpipe", "softpipe", "swrast")
NOTE = "This driver computes on the CPU and copies each frame whatever the way, on the presenter's thread. The target, at most 0.25, is for graphics cards."


def cheapest(ways, names):
    """Of those that the driver has; by the median of the rounds."""
    return min((name for name in names if name in ways), key=lambda name: statistics.median(ways[name]["presenter_cpu_ms_per_frame"]), default=None)


def upload(bench):
    seconds, rounds = (0.3, 2) if bench.options.quick else (0.4, 3)
    for tiles, slot_bytes in ((2, 1408), (1, 0), (2, 0), (4, 0)):
        run = programs.measured("upload", "--tiles", tiles, "--slots", slot_bytes, "--rounds", rounds, "--seconds", seconds)
        ways, renderer = run["ways"], run["renderer"]
        software = any(name in renderer for name in SOFTWARE)
        copied, in_place = cheapest(ways, COPIED), cheapest(ways, IN_PLACE)
        measure = f"{tiles} {'tile' if tiles == 1 else 'tiles'} of 4K{f' in packet slots of {slot_bytes} bytes' if slot_bytes else ''}, 60 frame/s asked for, {renderer}: presenter's CPU time per frame"
        if in_place is None:
            bench.row(measure, mark=f"{renderer} does not read band buffers where they are")
            continue
        costs = [ways[name]["presenter_cpu_ms_per_frame"] for name in (in_place, copied)]
        ratios = sorted(ours / theirs for ours, theirs in zip(*costs))
        ours, theirs = map(statistics.median, costs)
        bench.row(measure, ours, "ms", peer=f"copied ({copied})", theirs=theirs, ratio=(statistics.median(ratios), ratios[0], ratios[-1]), most=None if software else 0.25,
                  note=NOTE if software else None, text=f"{ours:.3g} ms ({in_place}); the upload takes {ways[in_place]['upload_ms_p50']:.2g} ms, p99 {ways[in_place]['upload_ms_p99']:.2g} ms",
                  ways=ways, chosen=run["chosen"])
    # Of the last number of tiles, the largest.
    fastest = programs.measured("upload", "--tiles", tiles, "--rounds", 1, "--seconds", seconds, "--fps", 0)["ways"]
    copied, in_place = (max((name for name in names if name in fastest), key=lambda name: fastest[name]["frames_per_s"], default=None) for names in (COPIED, IN_PLACE))
    if in_place:
        bench.row(f"{tiles} tiles of 4K as fast as it goes: frames of all tiles", fastest[in_place]["frames_per_s"], "frame/s", peer=f"copied ({copied})",
                  theirs=fastest[copied]["frames_per_s"], text=f"{fastest[in_place]['frames_per_s']:.3g} frame/s ({in_place})", ways=fastest)
