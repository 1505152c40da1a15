"""When a stall of the machine explains a failure, and what CTest makes of a file of tests."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

import real_time

HERE = pathlib.Path(__file__).resolve().parent
# In place of the meter: a machine that always stalled for a second, or never.
FILE = """
import unittest
import real_time

class Meter:
    def reset(self): pass
    def stall_s(self): return {stall}

real_time.StallMeter = Meter
{tests}
real_time.main()
"""
PASSES = "def test_passes(self): pass"
FAILS = "def test_fails(self): self.assertEqual(1, 2)"
CRASHES = "def test_crashes(self): raise RuntimeError('no answer')"
SKIPS = "def test_skips(self): self.skipTest('needs root')"
PATIENT = "def test_patient(self): self.stall_max_s = 2; self.fail()"
LATE = "def test_late(self): real_time.assert_on_time(self, 0.02, 0.005)"
ON_TIME = "def test_on_time(self): real_time.assert_on_time(self, 0.001, 0.005); self.fail()"
LOST = "def test_lost(self): real_time.assert_none_lost(self, 1, 1 / 30)"
PARTS = """
def test_parts(self):
    for part in range(3):
        with self.subTest(part):
            self.assertEqual(part, 1)
"""


def case(*tests):
    return "class Case(unittest.TestCase):\n" + textwrap.indent("\n".join(tests), "    ")


def file_of(tests, stall):
    return FILE.format(stall=stall, tests=tests)


def run(tests, stall, *arguments):
    done = subprocess.run([sys.executable, "-c", file_of(tests, stall), *arguments], cwd=HERE, capture_output=True, text=True)
    return done.returncode, done.stderr


class Status(unittest.TestCase):
    def check(self, tests, stall, status, *texts):
        got, text = run(tests, stall)
        self.assertEqual(got, status, text)
        for words in texts:
            self.assertIn(words, text)

    def test_of_a_quiet_machine(self):
        self.check(case(PASSES), 0, 0)
        self.check(case(PASSES, FAILS), 0, 1)
        self.check(case(CRASHES), 0, 1)
        self.check(case(PARTS), 0, 1)
        self.check(case(PASSES, SKIPS), 0, 0)
        self.check(case(SKIPS), 0, 0)

    def test_failures_of_a_machine_that_stalled_are_skipped_with_the_stall(self):
        for test in (FAILS, CRASHES, PARTS):
            self.check(case(test), 1, real_time.SKIPPED, "the machine stalled for 1.000 s", "skipped 1 of 1 tests; 0 passed")
        self.check(case(CRASHES), 1, real_time.SKIPPED, "it failed (no answer)")

    def test_a_test_that_another_reason_skipped_does_not_count_as_passed(self):
        self.check(case(SKIPS, FAILS), 1, real_time.SKIPPED)

    def test_a_file_of_which_some_tests_passed_has_passed(self):
        self.check(case(PASSES, FAILS), 1, 0, "the machine stalled for 1.000 s", "skipped 1 of 2 tests; 1 passed")

    def test_a_time_is_explained_by_a_shorter_stall(self):
        self.check(case(LATE), 0.004, 1)
        self.check(case(LATE), 0.01, real_time.SKIPPED)
        self.check(case(ON_TIME), 0.01, 1)
        self.check(case(LOST), 0.03, 1)
        self.check(case(LOST), 0.04, real_time.SKIPPED)

    def test_a_failure_that_the_stall_does_not_explain_stays_one(self):
        self.check(case(PASSES, FAILS, PATIENT), 1, 1, "skipped 1 of 3 tests")
        self.check(case(FAILS, PATIENT), 1, 1)

    def test_a_stall_does_not_explain_what_fails_outside_of_tests(self):
        self.check("def setUpModule(): raise RuntimeError('no disk')\n" + case(PASSES), 1, 1, "no disk")
        self.check("def tearDownModule(): raise RuntimeError('no disk')\n" + case(PASSES), 1, 1, "no disk")
        self.check(case("@classmethod\ndef setUpClass(cls): raise RuntimeError('no disk')", PASSES), 1, 1, "no disk")
        self.check(case("@classmethod\ndef tearDownClass(cls): raise RuntimeError('no disk')", PASSES), 1, 1, "no disk")

    def test_a_stall_does_not_explain_a_name_that_no_test_has(self):
        status, text = run(case(PASSES), 1, "Case.test_renamed")
        self.assertEqual(status, 1, text)


class OfCTest(unittest.TestCase):
    """CTest's own rules, with the properties that the build gives to end-to-end tests."""
    build = pathlib.Path(os.environ["LW_BIN"]).parent

    def properties(self):
        listed = subprocess.run(["ctest", "--test-dir", self.build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
        return {test["name"]: {one["name"]: one["value"] for one in test.get("properties", [])} for test in json.loads(listed.stdout)["tests"]}

    def run(self, result=None):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            return super().run(result)

    def verdicts(self, files, properties):
        """What CTest says of Python files with these properties."""
        lines = []
        for name, text in files.items():
            (self.folder / f"{name}.py").write_text(text)
            lines.append(f'add_test({name} "{sys.executable}" "{self.folder}/{name}.py")\nset_tests_properties({name} PROPERTIES '
                         f'{properties} ENVIRONMENT "PYTHONPATH={HERE}")\n')
        (self.folder / "CTestTestfile.cmake").write_text("".join(lines))
        said = subprocess.run(["ctest", "--test-dir", self.folder], capture_output=True, text=True).stdout
        return dict(re.findall(r"^ *\d+/\d+ Test +#\d+: (\w+) \.+ *\**(\w+)", said, re.M))

    def test_files_in_real_time(self):
        files = {"skipped": file_of(case(FAILS), 1), "passed": file_of(case(PASSES, FAILS), 1), "failed": file_of(case(FAILS, PATIENT), 1)}
        self.assertEqual(self.verdicts(files, f"SKIP_RETURN_CODE {self.properties()['e2e.pixels']['SKIP_RETURN_CODE']}"),
                         {"skipped": "Skipped", "passed": "Passed", "failed": "Failed"})

    def test_no_words_of_a_test_that_failed_make_it_skipped(self):
        """CTest looks for SKIP_REGULAR_EXPRESSION before it looks at the exit status."""
        expressions = {text for of_test in self.properties().values() for text in of_test.get("SKIP_REGULAR_EXPRESSION", [])}
        self.assertLessEqual(len(expressions), 1)
        for expression in expressions:
            files = {"skipped": "print('skipped: no display\\n\\nAll tests passed (1 assertion)')",
                     "failed": "print('skipped: no display\\n\\ntest cases: 2 | 1 passed | 1 failed'); exit(1)"}
            self.assertEqual(self.verdicts(files, f'SKIP_REGULAR_EXPRESSION "{expression}"'), {"skipped": "Skipped", "failed": "Failed"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
