"""Tests in real time need a machine that runs them in real time. Beside each test, one process on each CPU measures how late it wakes. If a test fails
on a machine that stalled for longer than the test allows, the failure is reported as a skip that gives the stall; every other failure stays a failure,
also one of setUpClass or setUpModule, and a test that cannot be loaded. No test is run again.

The exit status of a file: 1 if a test failed, whatever else was skipped. 77, which CTest reports as skipped, if stalls are the reason that no test passed.
Otherwise 0: a file of which some tests passed has passed, and its last lines say what a stall skipped."""
import multiprocessing
import os
import sys
import time
import unittest

SKIPPED = 77  # SKIP_RETURN_CODE of tests/CMakeLists.txt
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


def _assert_unless_stalled(test, most_s, check):
    """Lowers what the test allows until the check has passed."""
    allowed = getattr(test, "stall_max_s", STALL_MAX_S)
    test.stall_max_s = min(allowed, most_s)
    check()
    test.stall_max_s = allowed


def assert_on_time(test, late_s, most_s):
    """That something was less late than `most_s`. A stall as long as that explains why it was not."""
    _assert_unless_stalled(test, most_s, lambda: test.assertLess(late_s, most_s))


def assert_none_lost(test, lost, interval_s):
    """That no frame was lost. A node that wakes later than the interval of frames skips one."""
    _assert_unless_stalled(test, interval_s, lambda: test.assertEqual(lost, 0))


class Result(unittest.TextTestResult):
    meter = None

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.passed = 0
        self.stalled = []  # (test, reason) of each that a stall skipped, or a part of which it did

    def startTest(self, test):
        self.meter.reset()
        super().startTest(test)

    def addSuccess(self, test):
        self.passed += 1
        super().addSuccess(test)

    def _stalled(self, test, err):
        """Reports the stall that explains a failure. The stall is that of a test: nothing is known of the time of setUpClass or setUpModule, for which
        unittest has an object of another class."""
        if not isinstance(test, unittest.TestCase) or isinstance(test, unittest.loader._FailedTest):
            return False
        most = getattr(test, "stall_max_s", STALL_MAX_S)
        stall = self.meter.stall_s()
        if stall > most:
            why = (str(err[1]) or err[0].__name__).splitlines()[0]
            reason = f"it failed ({why}), and the machine stalled for {stall:.3f} s; this test needs stalls below {most:.3f} s"
            self.stalled.append((test, reason))
            self.addSkip(test, reason)
        return stall > most

    def addFailure(self, test, err):
        if not self._stalled(test, err):
            super().addFailure(test, err)

    def addError(self, test, err):
        if not self._stalled(test, err):
            super().addError(test, err)

    def addSubTest(self, test, subtest, err):
        if err is None or not self._stalled(test, err):
            super().addSubTest(test, subtest, err)

    def status(self):
        if not self.wasSuccessful():
            return 1
        return SKIPPED if self.stalled and not self.passed else 0


class Runner(unittest.TextTestRunner):
    resultclass = Result


def main(**options):
    """In place of unittest.main()."""
    Result.meter = StallMeter()
    result = unittest.main(testRunner=Runner, exit=False, **options).result
    for test, reason in result.stalled:
        print(f"skipped {test.id()}: {reason}", file=sys.stderr)
    if result.stalled:
        print(f"stalls of the machine skipped {len({test for test, _ in result.stalled})} of {result.testsRun} tests; {result.passed} passed", file=sys.stderr)
    sys.exit(result.status())
