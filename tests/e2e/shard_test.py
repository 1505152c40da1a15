"""`wall-ingest --shard` and `--join`: processes that are killed and started again make the bytes of one process."""
import pathlib
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from wall import Wall, program, run, start, wait_until  # noqa: E402

SHARDS = 4
SOURCE = ["lavfi:testsrc2=size=144x88:rate=30", "--frames", "80"]
SLOW = ["--rate", "200kB/s"]  # so that a shard is caught in its middle


def files_of(folder):
    """The bytes of every file but those with the store's random id."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name not in ("visualization.json", "stripe.json")}


class Shards(unittest.TestCase):
    def setUp(self):
        self.wall = Wall(2, 2, tile=(64, 40), bezel=(16, 8))
        self.disks = [self.wall.content, self.wall.folder / "second"]

    def command(self, out, *options):
        return [program("wall-ingest"), *SOURCE, "--wall", self.wall.file, "--out", ",".join(map(str, out)), "--name", "x", *options]

    def killed(self, number):
        """Starts a shard, and kills it after it has noted more frames than it found."""
        journal = self.wall.content / f".x.partial/shard-{number}-of-{SHARDS}.json"
        noted = journal.read_text() if journal.exists() else ""
        process = start(*self.command(self.disks, "--shard", f"{number}/{SHARDS}", *SLOW))
        wait_until(lambda: journal.exists() and journal.read_text() not in ("", noted), 30, "the shard's journal")
        process.kill()
        self.assertEqual(process.wait(10), -signal.SIGKILL)
        self.assertNotIn('"complete":true', journal.read_text())

    def test_the_bytes_of_one_process(self):
        self.killed(2)
        self.killed(2)
        others = [start(*self.command(self.disks, "--shard", f"{number}/{SHARDS}")) for number in (4, 1, 3)]
        self.assertEqual([process.wait(60) for process in others], [0, 0, 0])
        early = run(*self.command(self.disks, "--join"))
        self.assertEqual(early.returncode, 1)
        self.assertIn(f"2/{SHARDS}", early.stderr)
        again = run(*self.command(self.disks, "--shard", f"2/{SHARDS}"))
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("from an earlier run", again.stdout)
        joined = run(*self.command(self.disks, "--join"))
        self.assertEqual(joined.returncode, 0, joined.stderr)

        alone = [self.wall.folder / "alone", self.wall.folder / "alone2"]
        self.assertEqual(run(*self.command(alone)).returncode, 0)
        for sharded, single in zip(self.disks, alone):
            self.assertEqual(files_of(sharded / "x"), files_of(single / "x"))
            self.assertEqual([file.name for file in sharded.iterdir() if file.name.startswith(".x")], [])
        verified = run(program("wall-ingest"), "--verify", self.wall.content / "x")
        self.assertEqual(verified.returncode, 0, verified.stderr)

    def test_one_process_a_shard(self):
        first = start(*self.command(self.disks, "--shard", "1/2", *SLOW))
        self.addCleanup(first.kill)
        wait_until(lambda: (self.wall.content / ".x.partial/shard-1-of-2.json").exists(), 30, "the first")
        for options, words in ((["--shard", "1/2"], "another wall-ingest is importing shard 1/2"), (["--join"], "another wall-ingest"),
                               ([], "another wall-ingest"), (["--shard", "1/3"], "another import")):
            refused = run(*self.command(self.disks, *options))
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertIn(words, refused.stderr)
        self.assertIsNone(first.poll())

    def test_wrong_usage(self):
        for options in (["--shard", "3/2"], ["--shard", "2"], ["--shard", "1/2", "--join"]):
            self.assertEqual(run(*self.command(self.disks, *options)).returncode, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
