"""The highest rates that come through whole, of several senders at once: their runs alternate, so that a slow moment of the machine meets all of them.

A sender has `run(gbit, seconds)`, whose result has `loss` and `sent_gbit_per_s`: what was not sent in time is a rate not reached, though no packet was lost."""
import statistics

LOSS_MAX = 1e-6
SENT_LEAST = 0.99
SENT_LEAST_HELD = 0.97  # the host may stall longer than a frame can wait
LOWER = 0.9  # what is left of a rate that was not held
LOWER_MOST = 5  # times


class Bisection:
    def __init__(self, sender, ceiling):
        self.sender, self.low, self.high, self.step, self.tried = sender, 0.0, ceiling, max(0.5, 0.04 * ceiling), 0

    def done(self):
        return self.high - self.low <= self.step

    def probe(self, seconds):
        """Up after a whole run, down after two that are not, so that one stall does not decide."""
        middle = (self.low + self.high) / 2
        result = self.sender.run(round(middle, 2), seconds)
        if result["sent_gbit_per_s"] > SENT_LEAST * middle and result["loss"] <= LOSS_MAX:
            self.low, self.tried = middle, 0
        elif self.tried == 1:
            self.high, self.tried = middle, 0
        else:
            self.tried = 1


def search(senders, ceiling, seconds):
    """The highest rate of each that came through whole just now."""
    searches = [Bisection(sender, ceiling) for sender in senders]
    while not all(each.done() for each in searches):
        for each in searches:
            if not each.done():
                each.probe(seconds)
    return [each.low for each in searches]


def rounds(senders, ceiling, seconds, count, say, beside=lambda: None):
    """Of so many rounds, each a search anew and a call of `beside`: the rates of each sender."""
    found = []
    for turn in range(count):
        found.append(search(senders, ceiling, seconds))
        beside()
        say(f"  round {turn + 1} of {count}: " + ", ".join(f"{sender.name} {rate:.3g} Gbit/s" for sender, rate in zip(senders, found[-1])))
    return list(zip(*found))


def held(sender, gbit, seconds, count):
    """The rate, lowered as often as it takes until `count` runs at it lose nothing and most of them send nearly all; and these runs, or none where that rate is not found."""
    for _ in range(LOWER_MOST):
        gbit = round(gbit, 2)
        results, short = [], 0
        while len(results) < count and sum(result["loss"] for result in results) <= LOSS_MAX * count and 2 * short < count:
            results.append(sender.run(gbit, seconds))
            short += results[-1]["sent_gbit_per_s"] < SENT_LEAST_HELD * gbit
        if statistics.fmean(result["loss"] for result in results) <= LOSS_MAX and 2 * short < count:
            return gbit, results
        gbit *= LOWER
    return gbit, []
