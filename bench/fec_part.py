"""Our encoding and decoding beside the library's own loop, and what is left incomplete beside row and column parity."""
import statistics

import programs


def fec(bench):
    for data, parity in ((20, 4), (40, 8), (10, 2)):
        # The simulated path is the same each time: once is enough.
        runs = [programs.measured("fec", "--data", data, "--parity", parity, *(("--path-frames", 1) if i else ())) for i in range(bench.rounds if data == 20 else bench.few)]
        middle = {key: statistics.median(run[key] for run in runs) if key.endswith("gb_per_s") else runs[0][key] for key in runs[0]}
        encoding, decoding = "ISA-L's own encoding", "ISA-L's own decoding, tables made for each group"
        for what, text, peer in (("encode", "encode", encoding), ("decode", "decode, the same places lost in all groups", encoding),
                                 ("decode_elsewhere", "decode, other places in each group", decoding)):
            theirs = f"library_{'encode' if peer is encoding else 'decode'}_gb_per_s"
            ratios = sorted(run[f"{what}_gb_per_s"] / run[theirs] for run in runs)
            bench.row(f"{data}+{parity}, 1356 B, one core: {text}", middle[f"{what}_gb_per_s"], "GB/s", peer=peer, theirs=middle[theirs], ratio=(statistics.median(ratios), ratios[0], ratios[-1]), least=0.9)
        incomplete = middle["frames_incomplete"]
        bench.row(f"{data}+{parity}: frames of 569 packets incomplete, 1 % lost in bursts of 8; {middle['overhead']:.0%} more bandwidth", incomplete, "of all", peer="rows and columns (RFC 8627)",
                  theirs=middle["frames_incomplete_rows_and_columns"], text=f"{incomplete:.1e} of all (predicted at most {middle['frames_incomplete_predicted']:.1e})")
