"""The highest rates without loss of several senders in turns, and how they compare.

The machine's speed changes from one second to the next, by more than the difference to be detected. So runs of a third of a second alternate between the senders, at rates on a
ladder of rungs 1 % apart (see Race); what a sender reached in a round is the mean of its rungs, where half of the runs come through, and what counts is the median of the
rounds' ratios. tests/bench/bench_test.py shows on a simulated machine what that can tell apart.

A sender has `name` and `run(gbit, seconds)`, whose result has `frames_offered`, `frames_sent`, `loss` and, where it is known, `behind_ms`."""
import dataclasses
import math
import statistics

STEP = 0.01  # of the rate: a rung
RUNG = math.log1p(STEP)
TOP, BOTTOM = math.log(1.4) / RUNG, math.log(0.15) / RUNG  # of the ceiling; below that a frame takes longer than a wall would wait for it
TURNS_TO_START = 20
WHOLE_LEAST = 0.2  # of a round's runs; half of them where a sender has found its place
LOSS_MAX = 1e-6
SENT_LEAST = 0.99  # of what was offered
SENT_LEAST_HELD = 0.97  # of most long runs: the host may stall longer than a frame can wait
SENT_LEAST_HELD_ALL = 0.9  # of all of them together
BEHIND_MOST = 0.01  # of the run: the last of it came so late, or the buffers would fill up if it went on
HELD_TRIES = 10  # at 0.99, 0.97, 0.94 ... 0.45 of the rate found: half of the short runs came through there, and all of the long ones are to
FAILURES_MOST = 3  # runs of a sender without a result, one after the other
FIRST_STRIDE, FAR = 16, 6  # rungs; so many of the same verdict in a row say that the ladder is far from its place


class BenchError(Exception):
    """Something that could not be measured, and why."""


def share_sent(result):
    return result["frames_sent"] / result["frames_offered"] if result["frames_offered"] else 0.0


def came_whole(result, seconds):
    """Whether the sender sent everything it was offered, in time, and all of it arrived. A last frame that never completed has loss, and no `behind_ms`."""
    return result["loss"] <= LOSS_MAX and share_sent(result) >= SENT_LEAST and result.get("behind_ms", 0.0) <= BEHIND_MOST * seconds * 1000


class Climber:
    """A sender in a race: how many rungs above or below the others' common rung it is tried; `failed` says why it is no longer asked."""

    def __init__(self, sender):
        self.sender, self.offset, self.step = sender, 0.0, Stride(FIRST_STRIDE // 2, 1)
        self.failures, self.failed = 0, None

    def comes_whole(self, gbit, seconds):
        """Of one run; None where it gave no result."""
        try:
            whole = came_whole(self.sender.run(round(gbit, 3), seconds), seconds)
        except BenchError as error:
            self.failures += 1
            if self.failures == FAILURES_MOST:
                self.failed = str(error)
            return None
        self.failures = 0
        return whole


class Stride:
    """Rungs to go at once: fewer with every change of direction, more where it is always the same one."""

    def __init__(self, first, least):
        self.first, self.length, self.least, self.before, self.same = first, first, least, None, 0

    def next(self, up):
        if up == self.before:
            self.same += 1
            if self.same % FAR == 0:
                self.length = min(self.first, 2 * self.length)
        else:
            self.same = 1
            if self.before is not None:
                self.length = max(self.least, self.length // 2)
        self.before = up
        return self.length if up else -self.length


class Race:
    """Senders in turns; the last of the first two is the reference. If both arrive without loss, or neither, the machine is faster or slower than thought: the common rung
    moves. Where one does and the other does not, that one is better: its offset to the reference moves by a rung. So the speed is followed with long strides and the
    difference found with short ones."""

    def __init__(self, senders, ceiling, seconds, every=3):
        self.climbers, self.ceiling, self.seconds, self.every = [Climber(sender) for sender in senders], ceiling, seconds, every
        self.rung = math.log(0.7) / RUNG
        self.speed = Stride(FIRST_STRIDE, 4 if len(senders) > 1 else 1)
        self.turns = 0

    def rate(self, rung):
        return self.ceiling * math.exp(RUNG * within(rung))

    def turn(self):
        """One run of each (of those behind the first two, now and then): [(rung, whether it came whole) or None]."""
        order = [i for i in in_turns(len(self.climbers), self.turns) if i < 2 or self.turns % self.every == 0]
        self.turns += 1
        seen = [None] * len(self.climbers)
        for i in order:
            climber = self.climbers[i]
            if climber.failed:
                continue
            rung = self.rung + climber.offset
            whole = climber.comes_whole(self.rate(rung), self.seconds)
            if whole is not None:
                seen[i] = (rung, whole)
        self.move([probe and probe[1] for probe in seen])
        return seen

    def move(self, whole):
        """From the lossless runs; None for a sender without a run."""
        pair = [i for i in range(min(2, len(whole))) if whole[i] is not None]
        if not pair:
            return
        reference = pair[-1]
        others = [i for i in range(len(whole)) if i != reference and whole[i] is not None]
        at_top = self.rung >= TOP and whole[reference]
        if pair[0] == reference or whole[pair[0]] == whole[reference]:
            self.rung = within(self.rung + self.speed.next(whole[reference]))
        for i in others:
            if whole[i] == whole[reference] and not at_top:
                continue
            # At the top the reference has no more information: the others continue alone.
            step = self.climbers[i].step.next(whole[i])
            self.climbers[i].offset = max(BOTTOM - TOP, min(0 if at_top else TOP - BOTTOM, self.climbers[i].offset + step))
            if i == pair[0] and not at_top:
                self.rung = within(self.rung - step / 2)  # both by half


def within(rung):
    return min(TOP, max(BOTTOM, rung))


@dataclasses.dataclass
class Found:
    """Of each sender: its rate in each round, None where it had none; and the reason where it has no rate at all."""
    names: list
    rates: list
    marks: list

    def rate(self, which):
        """The median of the rounds, or None."""
        known = [rate for rate in self.rates[which] if rate]
        return statistics.median(known) if known else None

    def ratio(self, ours, theirs):
        """(median, lowest, highest) of the rounds' ratios, or None where no round has both."""
        return spread([a / b for a, b in zip(self.rates[ours], self.rates[theirs]) if a and b])


def spread(values):
    """(median, lowest, highest), or None."""
    return (statistics.median(values), min(values), max(values)) if values else None


def in_turns(count, turn):
    """0 .. count-1, beginning with another one each turn."""
    return [(turn + i) % count for i in range(count)]


def race(senders, ceiling, seconds, rounds, turns, say=lambda text: None, beside=lambda: None, time_left=lambda: math.inf):
    """What each sender reaches, round by round, with a call of `beside` after each. Always ends, and says of each sender without a rate why."""
    running = Race(senders, ceiling, seconds, every=3 if turns > 20 else 1)
    for _ in range(TURNS_TO_START):
        running.turn()
    rates = [[] for _ in senders]
    for number in range(rounds):
        if number and time_left() <= 0:
            say(f"  the time was up: {number} rounds")
            break
        seen = [running.turn() for _ in range(turns)]
        for i, found in enumerate(rates):
            found.append(reached(running, [probes[i] for probes in seen if probes[i]]))
        beside()
        say(f"  round {number + 1} of {rounds}: " + ", ".join(f"{sender.name} {f'{found[-1]:.3g} Gbit/s' if found[-1] else 'none'}" for sender, found in zip(senders, rates)))
    marks = []
    for climber, found in zip(running.climbers, rates):
        reason = climber.failed or f"too few runs were without loss, down to {running.rate(BOTTOM):.3g} Gbit/s"
        marks.append(None if any(found) else f"no rate was held: {reason}")
    return Found([sender.name for sender in senders], rates, marks)


def reached(running, probes):
    """A sender's rate in a round: the mean of its rungs; None where too few of its runs came through for its place to mean anything."""
    if not probes or sum(whole for _, whole in probes) < WHOLE_LEAST * len(probes):
        return None
    return running.rate(statistics.fmean(rung for rung, _ in probes))


@dataclasses.dataclass
class Held:
    gbit: float  # asked for
    results: list  # of the runs; empty where no rate was held
    mark: str | None

    def received(self):
        """Gbit/s sent in time, without the dropped frames."""
        return self.gbit * statistics.fmean(share_sent(result) for result in self.results)


def held(sender, gbit, seconds, count, say=lambda text: None, time_left=lambda: math.inf):
    """The highest of a falling series of rates at which `count` long runs lose nothing and most of them send nearly all. Always ends; where none was held, says so."""
    if not gbit:
        return Held(0.0, [], "no rate was held: none was found to begin with")
    reason, tried = "none came through", gbit
    for number in range(HELD_TRIES):
        if number and time_left() <= 0:
            reason = "the time was up"
            break
        tried = round(gbit * (1 - STEP * (number + 1) * (number + 2) / 2), 3)
        results, short = [], 0
        try:
            while len(results) < count and sum(result["loss"] for result in results) <= LOSS_MAX * count and 2 * short < count:
                results.append(sender.run(tried, seconds))
                short += share_sent(results[-1]) < SENT_LEAST_HELD
        except BenchError as error:
            return Held(tried, [], f"no rate was held: {error}")
        sent = statistics.fmean(share_sent(result) for result in results)
        if len(results) == count and statistics.fmean(result["loss"] for result in results) <= LOSS_MAX and 2 * short < count and sent >= SENT_LEAST_HELD_ALL:
            return Held(tried, results, None)
        lost, late = results[-1]["loss"], share_sent(results[-1])
        say(f"  {tried:.3g} Gbit/s was not held: of run {len(results)}, {lost:.1e} lost, {late:.0%} of the frames sent")
    return Held(tried, [], f"no rate was held for {count} x {seconds:g} s, down to {tried:.3g} Gbit/s: {reason}")
