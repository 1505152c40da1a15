"""What `wall-probe impair` does to packets is what the kernel's own emulator, netem, does to them: the same distributions. Two samples are compared by the test
of Kolmogorov and Smirnov, counts by their standard errors, at a level of 0.001 each."""
import math
import pathlib
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from wall import program, run, start, stop, wait_until  # noqa: E402

PACKETS, INTERVAL_S = 3000, 0.002
NETEM_PORT, RELAY_PORT, TARGET_PORT = 7000, 7100, 7200
SIGNIFICANT = 3.29  # standard errors, two-sided 0.001


def kolmogorov_smirnov(one, other):
    """The largest distance between two distributions, and what it is not above with a probability of 0.999 if they are equal."""
    one, other = sorted(one), sorted(other)
    distance = i = j = 0
    while i < len(one) and j < len(other):
        value = min(one[i], other[j])
        while i < len(one) and one[i] <= value:
            i += 1
        while j < len(other) and other[j] <= value:
            j += 1
        distance = max(distance, abs(i / len(one) - j / len(other)))
    return distance, math.sqrt(-math.log(0.001 / 2) / 2 * (1 / len(one) + 1 / len(other)))


def quantiles_ms(values):
    values = sorted(values)
    return "  ".join(f"p{share * 100:g} {values[int(share * (len(values) - 1))] * 1000:.2f}" for share in (0, 0.01, 0.1, 0.5, 0.9, 0.99, 1))


def run_lengths(numbers):
    """Of uninterrupted runs of what is missing below the last."""
    came, lengths, length = set(numbers), [], 0
    for number in range(max(came) + 1):
        if number in came:
            lengths += [length] if length else []
            length = 0
        else:
            length += 1
    return lengths


class Netem(unittest.TestCase):
    def through(self, port):
        """Number and delay in s of each packet that came, in the order of arrival."""
        came = []
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            receiver.bind(("127.0.0.1", TARGET_PORT if port == RELAY_PORT else port))
            receiver.settimeout(1)

            def receive():
                try:
                    while True:
                        data = receiver.recv(64)
                        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
                        number, sent = struct.unpack("<QQ", data)
                        came.append((number, (now - sent) / 1e9))
                except TimeoutError:
                    pass
            reader = threading.Thread(target=receive)
            reader.start()
            due = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            for number in range(PACKETS):
                due += int(INTERVAL_S * 1e9)
                time.sleep(max(0, due - time.clock_gettime_ns(time.CLOCK_MONOTONIC)) / 1e9)
                sender.sendto(struct.pack("<QQ", number, time.clock_gettime_ns(time.CLOCK_MONOTONIC)), ("127.0.0.1", port))
            reader.join()
        return came

    def through_netem(self, *settings):
        """Only the packets of the test: others on the loopback interface pass at once."""
        for words in (["qdisc", "replace", "dev", "lo", "root", "handle", "1:", "prio", "bands", "2", "priomap", *["1"] * 16],
                      ["qdisc", "add", "dev", "lo", "parent", "1:1", "netem", "limit", 100000, *settings],
                      ["filter", "add", "dev", "lo", "parent", "1:", "protocol", "ip", "u32", "match", "ip", "dport", NETEM_PORT, "0xffff", "flowid", "1:1"]):
            done = run("tc", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
        try:
            return self.through(NETEM_PORT)
        finally:
            run("tc", "qdisc", "del", "dev", "lo", "root")

    def through_relay(self, *options):
        relay = start(program("wall-probe"), "impair", "--listen", f"127.0.0.1:{RELAY_PORT}", "--to", f"127.0.0.1:{TARGET_PORT}", "--seed", 1, *options, stdout=subprocess.DEVNULL)
        try:
            wait_until(lambda: f":{RELAY_PORT} " in run("ss", "-Hlun").stdout, 20, "the relay")
            return self.through(RELAY_PORT)
        finally:
            stop(relay)

    def same_delays(self, netem, relay):
        ours, theirs = ([delay for _, delay in came] for came in (relay, netem))
        distance, bound = kolmogorov_smirnov(ours, theirs)
        print(f"ms: netem {quantiles_ms(theirs)}\n    relay {quantiles_ms(ours)}\n    distance {distance:.4f}, bound {bound:.4f}")
        self.assertEqual((len(ours), len(theirs)), (PACKETS, PACKETS))
        self.assertLess(distance, bound)

    def same_share(self, what, ours, theirs, correlated=1):
        """Of PACKETS. `correlated`: by how much they come in runs."""
        share = (ours + theirs) / 2 / PACKETS
        error = math.sqrt(2 * share * (1 - share) * correlated / PACKETS)
        print(f"{what}: netem {theirs / PACKETS:.4f}, relay {ours / PACKETS:.4f}, standard error of the difference {error:.4f}")
        self.assertLess(abs(ours - theirs) / PACKETS, SIGNIFICANT * error)
        self.assertGreater(min(ours, theirs), 0)

    def test_uniform_delay(self):
        self.same_delays(self.through_netem("delay", "25ms", "5ms"),
                         self.through_relay("--delay-ms", 25, "--jitter-ms", 5, "--distribution", "uniform", "--reorder-by-jitter"))

    def test_normal_delay(self):
        self.same_delays(self.through_netem("delay", "25ms", "5ms", "distribution", "normal"),
                         self.through_relay("--delay-ms", 25, "--jitter-ms", 5, "--distribution", "normal", "--reorder-by-jitter"))

    def test_normal_delay_in_order(self):
        """The relay's delay wanders where packets keep their order: neighbours are alike, so far fewer are independent; the quantiles still are netem's."""
        netem = [delay for _, delay in self.through_netem("delay", "25ms", "5ms", "distribution", "normal")]
        came = self.through_relay("--delay-ms", 25, "--jitter-ms", 5, "--distribution", "normal")
        relay = [delay for _, delay in came]
        self.assertEqual([number for number, _ in came], list(range(PACKETS)))
        distance, bound = kolmogorov_smirnov(relay, netem)
        independent = PACKETS * INTERVAL_S / 0.04  # it takes some 2 x 20 ms to wander over the distribution
        allowed = bound * math.sqrt(PACKETS / independent)
        print(f"ms: netem {quantiles_ms(netem)}\n    relay {quantiles_ms(relay)}\n    distance {distance:.4f}, bound {allowed:.4f}")
        self.assertLess(distance, allowed)

    def test_random_loss(self):
        netem, relay = self.through_netem("loss", "random", "5%"), self.through_relay("--loss-percent", 5)
        self.same_share("lost", PACKETS - len(relay), PACKETS - len(netem))

    def test_loss_in_runs(self):
        """Gilbert's model: runs of 4 packets in the mean, 5 % lost."""
        back, mean_run, share = 1 / 4, 4, 0.05
        begin = share / (1 - share) * back
        netem = self.through_netem("loss", "gemodel", f"{begin * 100:.4f}%", f"{back * 100}%", "100%", "0%")
        relay = self.through_relay("--loss-percent", share * 100, "--loss-burst", mean_run)
        self.same_share("lost in runs", PACKETS - len(relay), PACKETS - len(netem), correlated=2 * mean_run - 1)
        runs = {name: run_lengths(number for number, _ in came) for name, came in (("netem", netem), ("relay", relay))}
        means = {name: sum(lengths) / len(lengths) for name, lengths in runs.items()}
        error = math.sqrt(sum((1 - back) / back**2 / len(lengths) for lengths in runs.values()))
        print(f"packets in a run: netem {means['netem']:.2f} ({len(runs['netem'])} runs), relay {means['relay']:.2f} ({len(runs['relay'])}), standard error {error:.2f}")
        self.assertLess(abs(means["netem"] - means["relay"]), SIGNIFICANT * error)

    def test_duplicates(self):
        netem, relay = self.through_netem("duplicate", "3%"), self.through_relay("--duplicate-percent", 3)
        self.same_share("duplicated", len(relay) - PACKETS, len(netem) - PACKETS)


if __name__ == "__main__":
    unittest.main(verbosity=2)
