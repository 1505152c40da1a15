"""Tests in real time need a machine that runs them in real time. Beside each test, one process on each CPU measures how late it wakes. If a test fails
on a machine that stalled for longer than the test allows, the failure is reported as a skip that gives the stall; every other failure stays a failure.
No test is run again."""
import multiprocessing
import os
import time
import unittest

STALL_MAX_S = 0.08  # the shortest playout delay of a wall's defaults; a class may set another one as `stall_max_s`
_INTERVAL_S = 0.005
_fork = multiprocessing.get_context("fork")


def _measure(cpu, worst, parent):
    os.sched_setaffinity(0, {cpu})
    while os.getppid() == parent:
        before = time.monotonic()
        time.sleep(_INTERVAL_S)
        worst.value = max(worst.value, time.monotonic() - before - _INTERVAL_S)


class StallMeter:
    """The longest delay of a wake-up, over all CPUs, since the last reset."""

    def __init__(self):
        self.worst = []
        for cpu in os.sched_getaffinity(0):
            self.worst.append(_fork.Value("d", 0.0, lock=False))
            _fork.Process(target=_measure, args=(cpu, self.worst[-1], os.getpid()), daemon=True).start()

    def reset(self):
        for worst in self.worst:
            worst.value = 0.0

    def stall_s(self):
        return max(worst.value for worst in self.worst)


class Result(unittest.TextTestResult):
    meter = None

    def startTest(self, test):
        self.meter.reset()
        super().startTest(test)

    def _stalled(self, test):
        """Reports the stall that explains a failure."""
        most = getattr(test, "stall_max_s", STALL_MAX_S)
        stall = self.meter.stall_s()
        if stall > most:
            self.addSkip(test, f"it failed, and the machine stalled for {stall:.3f} s; this test needs stalls below {most:.3f} s")
        return stall > most

    def addFailure(self, test, err):
        if not self._stalled(test):
            super().addFailure(test, err)

    def addError(self, test, err):
        if not self._stalled(test):
            super().addError(test, err)

    def addSubTest(self, test, subtest, err):
        if err is None or not self._stalled(test):
            super().addSubTest(test, subtest, err)


class Runner(unittest.TextTestRunner):
    resultclass = Result


def main(**options):
    """In place of unittest.main()."""
    Result.meter = StallMeter()
    unittest.main(testRunner=Runner, **options)
