"""Faults of disks: full, failing, slow, writing less than asked, and a program or a whole host that ends in the middle of it. A store is
complete or absent, whatever happens, and the wall plays what can be read."""
import concurrent.futures
import itertools
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from fault import Playing, fault, told, tree  # noqa: E402
from pictures import make_source  # noqa: E402
from wall import Wall, program, run, wait_until  # noqa: E402

FRAMES = 4


def without_id(files):
    """Everything except what differs each time a store is made."""
    return {name: value for name, value in files.items() if not name.endswith(("visualization.json", "stripe.json"))}


class Ingest(unittest.TestCase):
    """wall-ingest of a small store on two disks, with a fault at each of its calls in turn."""

    @classmethod
    def setUpClass(cls):
        cls.wall = Wall(2, 1, tile=(64, 40))
        make_source(cls.wall.folder / "source", cls.wall.picture, FRAMES)
        make_source(cls.wall.folder / "older", cls.wall.picture, FRAMES + 1, seed=8)
        cls.places = itertools.count()

    def place(self, older=False):
        """Two fresh directories, on request with a store of that name from another source in them."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="place-", dir=self.wall.folder))
        disks = [folder / "disk-a", folder / "disk-b"]
        if older:
            self.assertEqual(self.ingest(disks, source="older").returncode, 0)
        return disks

    def ingest(self, disks, *options, source="source", env=None):
        return run(program("wall-ingest"), self.wall.folder / source, "--wall", self.wall.file, "--out", ",".join(map(str, disks)), "--name", "film", "--rate", "30", *options,
                   env=env, timeout=20)

    def calls(self, disks, *options, log=None):
        """What an ingest does to the disks: [number, call, path (and new path)] of each."""
        log = self.wall.folder / f"log-{next(self.places)}"
        done = self.ingest(disks, *options, env=fault("none", "changes", disks[0].parent, log=log))
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split(" ")[1:] for line in log.read_text().splitlines()]

    def stores(self, disks):
        """What the server would play, after --verify of the same."""
        if not disks[0].is_dir():
            return []
        planned = run(program("wall-server"), "--wall", self.wall.file, "--content", disks[0], "--plan", "--json")
        self.assertEqual(planned.returncode, 0, planned.stderr)
        plans = json.loads(planned.stdout)
        names = [plan["name"] for plan in (plans if isinstance(plans, list) else [plans]) if plan.get("name")] if plans else []
        for name in names:
            verified = run(program("wall-ingest"), "--verify", disks[0] / name)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        return names

    def each(self, count, test, step=1):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(test, range(1, count + 1, step)))

    def bytes_of(self, disks):
        """Checks the store; otherwise only earlier files may exist."""
        left = [entry.name for disk in disks for entry in disk.iterdir() if entry.name not in ("film", ".lambdawall-playing")]
        self.assertEqual(left, [])
        files = tree(*(disk / "film" for disk in disks))
        manifest = json.loads((disks[0] / "film/visualization.json").read_text())
        self.assertEqual(manifest["stripes"], [".", str(disks[1] / "film")])
        return without_id(files)

    def killed_everywhere(self, older):
        options = ["--overwrite"] if older else []
        disks = self.place(older)
        count = len(self.calls(disks, *options))
        whole = self.bytes_of(disks)
        before = self.bytes_of(self.place(True)) if older else None
        seen = []

        def killed(number):
            place = self.place(older)
            done = self.ingest(place, *options, env=fault("exit", "changes", place[0].parent, number, 1))
            self.assertEqual(done.returncode, 137, (number, done.stderr))
            # The server checks visible stores; if there are none, one check in eight is enough.
            visible = [file for disk in place for file in disk.glob("[!.]*/visualization.json")]
            there = self.stores(place) if visible or number % 8 == 0 else []
            if there:  # whole, and one of the two
                files = without_id(tree(*(disk / "film" for disk in place)))
                self.assertIn(files, [whole, before], number)
            again = self.ingest(place, *options)
            if again.returncode != 0:
                self.assertIn("already exists", again.stderr)
                self.assertEqual(there, ["film"], (number, again.stderr))
            self.assertEqual(self.bytes_of(place), whole, number)
            shutil.rmtree(place[0].parent)
            seen.append(bool(there))

        self.each(count, killed)
        told(self, "ingest killed at each call that changes the disk", times=count, whole_before_the_end=sum(seen))

    def test_killed_at_each_write(self):
        self.killed_everywhere(older=False)

    def test_killed_at_each_write_while_it_replaces_a_store(self):
        self.killed_everywhere(older=True)

    def test_error_at_every_second_call(self):
        """A disk that is full or fails: one line that says so, and nothing half is left."""
        disks = self.place()
        count = len(self.calls(disks))
        whole = self.bytes_of(disks)
        outcomes = []

        def failed(number):
            place = self.place()
            deed = "ENOSPC" if number % 4 == 1 else "EIO"
            done = self.ingest(place, env=fault(deed, "changes", place[0].parent, number))
            if done.returncode == 0:  # what was left to do was to tidy up
                self.assertEqual(self.stores(place), ["film"], number)
            else:
                self.assertEqual(done.returncode, 1, (number, done.stderr))
                self.assertEqual(len([line for line in done.stderr.splitlines() if line]), 1, (number, done.stderr))
                self.assertIn("wall-ingest: ", done.stderr)
                # Only what came last, fsync of the directory, may fail with the store there: whole, but perhaps not after a power cut.
                there = (place[0] / "film/visualization.json").exists()
                self.assertTrue(not there or number >= count - 1, number)
                again = self.ingest(place)
                self.assertEqual(again.returncode, 1 if there else 0, (number, again.stderr))
                self.assertEqual(self.bytes_of(place), whole, number)
            outcomes.append(done.returncode)
            shutil.rmtree(place[0].parent)

        self.each(count, failed, step=2)
        self.assertGreater(sum(outcomes), len(outcomes) * 0.8)
        told(self, "the disk full or failing from a call on", times=len(outcomes), refused=sum(outcomes))

    def test_short_writes(self):
        first, second = self.place(), self.place()
        self.assertEqual(self.ingest(first).returncode, 0)
        self.assertEqual(self.ingest(second, env=fault("short", "write", second[0].parent)).returncode, 0)
        self.assertEqual(self.bytes_of(first), self.bytes_of(second))

    def test_a_power_cut_loses_no_bytes_of_a_whole_store(self):
        """What the kernel may keep back until fsync, and in any order: whatever a name stands for must be on the disk before the name is."""
        for options, older in (([], False), (["--overwrite"], True)):
            disks = self.place(older)
            unsynced, renamed = {}, []  # by path: what was done to it since its last fsync
            for call, path, *to in self.calls(disks, *options):
                folder = str(pathlib.Path(path).parent)
                if call == "sync":
                    unsynced.pop(path, None)
                elif call in ("write", "create"):
                    unsynced.setdefault(path, []).append(call)
                if call in ("create", "mkdir", "unlink"):
                    unsynced.setdefault(folder, []).append(f"{call} {path}")
                if call != "rename":
                    continue
                inside = {name: what for name, what in unsynced.items() if name == path or name.startswith(path + "/")}
                if not path.endswith("/film"):  # the old store that is set aside was complete long ago
                    self.assertEqual(inside, {}, f"{path} is renamed before it is on the disk")
                for earlier in renamed:
                    self.assertNotIn(earlier, unsynced, f"{path} is renamed before the rename in {earlier} is on the disk")
                unsynced.setdefault(folder, []).append(f"rename {path}")
                if path.endswith((".partial", "/film")):
                    renamed.append(folder)
            for disk in disks:
                self.assertFalse([what for what in unsynced.get(str(disk), []) if "rename" in what], "the last rename is not on the disk")
            self.assertEqual(len(renamed), 3 if older else 2)


class Dump(unittest.TestCase):
    def test_a_dump_on_a_full_disk(self):
        """The node that dumps ends and says why; the others play on."""
        playing = Playing(self)
        playing.server()
        other = playing.client(0)
        folder = playing.wall.folder / "dump"
        dumping = playing.client(1, "--dump", folder, env=fault("ENOSPC", "write", "dump/tile", 40), stderr=-1, text=True)
        _, text = dumping.communicate(timeout=20)
        self.assertEqual(dumping.returncode, 1)
        said = [line for line in text.splitlines() if line.startswith("wall-client: ")]
        self.assertEqual(len(said), 1, text)
        self.assertIn("No space left", said[0])
        self.assertIn(str(folder), said[0])
        playing.back(tiles=[0])
        self.assertIsNone(other.poll())
        lines = (folder / "shown.ndjson").read_text().splitlines()
        self.assertTrue(all(json.loads(line) for line in lines))


class Reading(unittest.TestCase):
    """The server's disks, read with pread, which can be made to fail; tests/e2e/life_test.py has a disk that fails under io_uring."""

    def play(self, deed, first, count):
        self.playing = Playing(self, out=lambda wall: f"{wall.content},{wall.folder / 'second'}")
        for column in range(2):
            self.playing.client(column)
        log = self.playing.wall.folder / "reads"
        self.playing.server(env=fault(deed, "read", "second/noise/tile", first, count, log, uring=False))
        wait_until(lambda: log.exists() and len(log.read_text().splitlines()) >= first + count, 20, "the faults")
        took = self.playing.back()
        self.assertEqual([process.poll() for process in self.playing.processes], [None] * 3)
        return took, self.playing.not_whole()

    def events(self):
        from wall import Control
        control = Control(self.playing.wall.control)
        self.addCleanup(control.close)
        return [event["code"] for event in control.call("subscribe", stats=False, events=True)["events"]]

    def test_errors(self):
        took, lost = self.play("EIO", 100, 60)
        self.assertIn("read-failed", self.events())
        told(self, "60 reads with EIO", lost_frames=lost, recovery_s=took)

    def test_slow_reads(self):
        took, lost = self.play("slow:300", 100, 5)
        self.assertTrue({"read-late", "stalled"} & set(self.events()))
        told(self, "5 reads of 0.3 s", lost_frames=lost, recovery_s=took)

    def on_two_disks(self):
        """A wall whose frames are on two disks each; the second disk's folder."""
        self.playing = Playing(self, out=lambda wall: f"{wall.content},{wall.folder / 'second'}", options=("--copies", "2"), playout_delay_ms=400)
        for column in range(2):
            self.playing.client(column)
        return self.playing.wall.folder / "second" / "noise"

    def lost_meanwhile(self, seconds):
        """Frames of all tiles that were due in the next seconds and not shown complete."""
        before = self.playing.not_whole()
        time.sleep(seconds)
        return self.playing.not_whole() - before

    def test_a_disk_that_is_missing_with_copies(self):
        second = self.on_two_disks()
        second.rename(second.parent / "away")
        self.playing.server()
        self.playing.back()
        lost = self.lost_meanwhile(3)
        self.assertIn("disk-missing", self.events())
        real_time.assert_none_lost(self, lost, 1 / 30)
        told(self, "one of two disks missing", lost_frames=lost)

    def test_errors_with_copies(self):
        """All reads of one disk fail, from some read on."""
        self.on_two_disks()
        log = self.playing.wall.folder / "reads"
        self.playing.server(env=fault("EIO", "read", "second/noise/tile", 300, 0, log, uring=False))
        self.playing.back()
        self.assertLess(len(log.read_text().splitlines()), 300)
        before = self.playing.not_whole()
        wait_until(lambda: len(log.read_text().splitlines()) > 300, 20, "the faults")
        time.sleep(3)
        lost = self.playing.not_whole() - before
        self.assertIn("disk-avoided", self.events())
        self.assertNotIn("read-failed", self.events())
        real_time.assert_none_lost(self, lost, 1 / 30)
        # Asked for a few frames, then tried now and then.
        self.assertLess(len(log.read_text().splitlines()), 300 + 30)
        told(self, "a disk with EIO", lost_frames=lost, asked_times=len(log.read_text().splitlines()) - 300)

    def play_with_a_slow_disk(self, ms):
        """The wall plays, and in the middle of it one of its two disks begins to take this long for each read, one after the other. The frames lost in the
        next seconds, and how often the disk was asked meanwhile."""
        self.on_two_disks()
        log = self.playing.wall.folder / "reads"
        self.playing.server(env=fault(f"slow:{ms}", "read", "second/noise/tile", 150, 0, log))
        self.playing.back()
        asked = lambda: len(log.read_text().splitlines())
        self.assertLess(asked(), 150)
        before = self.playing.not_whole()
        wait_until(lambda: asked() >= 150, 15, "the faults")
        time.sleep(3)
        lost = self.playing.not_whole() - before
        self.assertIn("disk-avoided", self.events())
        self.assertNotIn("read-failed", self.events())
        return lost, asked() - 149

    def test_a_slow_disk_with_copies(self):
        """A tenth of the 30 reads a second that the wall asks of each disk."""
        lost, asked = self.play_with_a_slow_disk(330)
        real_time.assert_none_lost(self, lost, 1 / 30)
        told(self, "one of two disks answers 3 reads a second", lost_frames=lost, asked_times=asked)

    def test_a_dead_disk_with_copies(self):
        """It never answers again."""
        lost, asked = self.play_with_a_slow_disk(3_600_000)
        real_time.assert_none_lost(self, lost, 1 / 30)
        told(self, "one of two disks no longer answers", lost_frames=lost, asked_times=asked)

    def test_files_that_end_early_with_copies(self):
        """The same under io_uring; and once they are back they are used again."""
        second = self.on_two_disks()
        self.playing.server()
        self.playing.back()
        kept = {file: file.read_bytes() for file in second.glob("tile-*.npy")}
        self.assertEqual(len(kept), 4)
        before = self.playing.not_whole()
        for file in kept:
            os.truncate(file, 0)
        wait_until(lambda: "disk-avoided" in self.events(), 10, "the event")
        time.sleep(2)
        for file, data in kept.items():
            file.write_bytes(data)
        wait_until(lambda: "loaded" in self.events()[-2:], 15, "the files to be opened again")
        time.sleep(1)
        lost = self.playing.not_whole() - before
        self.assertNotIn("read-failed", self.events())
        real_time.assert_none_lost(self, lost, 1 / 30)
        told(self, "a disk whose files end early, and are back", lost_frames=lost)

    def test_what_cannot_be_read_is_not_loaded(self):
        playing = Playing(self, columns=1)
        for name in ("visualization.json", "tile-0-0.npy"):
            done = run(program("wall-server"), "--wall", playing.wall.file, "--content", playing.wall.content, "--play", "noise", env=fault("EIO", "read", name), timeout=20)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, f"^wall-server: (?=.*{name}).*cannot (be )?read")
        playing.client(0)
        # While it plays, another visualization on a dead disk: an error for the caller, and playing continues.
        playing.wall.ingest(playing.wall.folder / "source", "dead", "--rate", "30")
        playing.server(env=fault("EIO", "read", "dead/tile", 3))
        playing.back()
        with self.assertRaisesRegex(RuntimeError, "dead"):
            for _ in range(4):
                playing.wall.call("load", name="dead")
                playing.wall.call("load", name="noise")
        playing.wall.call("load", name="noise")
        playing.back()


if __name__ == "__main__":
    real_time.main()
