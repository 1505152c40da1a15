"""What a newcomer meets in a terminal: --help, wrong options, and the completion of shells, of every program."""
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import Wall, program, run  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ["wall-client", "wall-control", "wall-ingest", "wall-probe", "wall-relay", "wall-samples", "wall-server"]
GENERAL = "General:"


def subcommands():
    return re.findall(r"^  ([a-z]+) ", run(program("wall-probe"), "--help").stdout.split("Subcommands:")[1], re.M)


def commands():
    return [[name] for name in PROGRAMS] + [["wall-probe", name] for name in subcommands()]


def help_of(command):
    return run(program(command[0]), *command[1:], "--help").stdout


def options_in(text):
    return set(re.findall(r"(?<![\w-])--?[a-zA-Z][a-z-]*", text))


class Help(unittest.TestCase):
    stall_max_s = float("inf")  # nothing in real time

    def test_each_has_usage_groups_and_examples_in_80_columns(self):
        for command in commands():
            with self.subTest(" ".join(command)):
                text = help_of(command)
                self.assertTrue(text.startswith(f"Usage: {' '.join(command)} "), text[:80])
                self.assertEqual([line for line in text.splitlines() if len(line) > 80], [])
                self.assertIn(f"\n{GENERAL}\n", text)
                self.assertIn("\nExamples:\n  # ", text)
                self.assertNotRegex(text.split("\nExamples:")[0], r"REQUIRED|TEXT:|UINT|FLOAT|\{|->")

    def test_every_option_is_explained(self):
        for command in commands():
            with self.subTest(" ".join(command)):
                text = help_of(command).split("\nExamples:")[0]
                entries = re.findall(r"^  (-.*)\n(.*)", text, re.M)
                self.assertTrue(entries)
                self.assertEqual([entry for entry, after in entries if "  " not in entry and not after.startswith(" " * 28)], [])

    def test_examples_are_of_options_that_exist(self):
        for command in commands():
            for line in re.findall(r"^  (wall-.*)$", help_of(command).split("\nExamples:")[1], re.M):
                with self.subTest(line):
                    words = shlex.split(line)
                    used = words[:2] if words[:2] in commands() else words[:1]
                    self.assertEqual([word for word in words if word.startswith("--") and word not in options_in(help_of(used))], [])

    def test_force_is_even_so(self):
        for name in ("compare", "sweep"):
            self.assertRegex(help_of(["wall-probe", name]), r"--force, --even-so ")


class Scripts(unittest.TestCase):
    stall_max_s = float("inf")

    def test_each_says_what_it_does(self):
        """And does nothing else. `simulate` is built first, and explains its options itself."""
        for script in sorted((ROOT / "scripts").glob("[a-z]*")):
            if script.is_dir() or script.name == "simulate":
                continue
            with self.subTest(script.name):
                result = run(script, "--help")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertRegex(result.stdout.lower(), f"usage: (scripts/)?{script.name}")

    def test_a_demo_of_no_length(self):
        for words, wrong in ((["--seconds"], "--seconds needs a value"), (["--seconds", "x"], "'x' is not a number of seconds; write --seconds 20")):
            result = run(ROOT / "scripts/demo", *words)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (2, "", f"demo: {wrong}\n"))


class WrongUsage(unittest.TestCase):
    stall_max_s = float("inf")

    def says(self, line, *words):
        result = run(program(words[0]), *words[1:])
        self.assertEqual((result.returncode, result.stdout, result.stderr), (2, "", f"{words[0]}: {line}\n"))

    def test_mistyped_words_have_suggestions(self):
        self.says("unknown subcommand 'rnu'; did you mean run?", "wall-probe", "rnu")
        self.says("unknown option --sceonds; did you mean --seconds?", "wall-probe", "run", "--sceonds", "3")
        self.says("unknown option --wlal; did you mean --wall?", "wall-ingest", "a", "--wlal", "x")
        self.says("unknown option --frobnicate; wall-client --help lists the options", "wall-client", "--frobnicate")

    def test_choices_are_printed_as_words(self):
        self.says("--fit: 'foo' is unknown; use fit, fill, stretch or exact", "wall-ingest", "a", "--fit", "foo", "--wall", "w", "--out", "o")
        self.says("--log: 'loud' is unknown; use error, warning, info or debug", "wall-server", "--log", "loud", "--wall", "w")

    def test_what_is_missing(self):
        self.says("no subcommand is given; wall-probe --help lists them", "wall-probe")
        self.says("--wall FILE and --node NAME are missing; wall-client --help has examples", "wall-client")
        self.says("--wall FILE and --out [SERVER=]STORE[,STORE...] are missing; wall-ingest --help has examples", "wall-ingest", "film.mp4")
        self.says("--wall has no value; write --wall FILE", "wall-server", "--wall")
        self.says("--json needs --plan; add it", "wall-server", "--wall", "w", "--json")
        self.says("--key is missing; wall-server --help describes it", "wall-server", "--wall", "w", "--certificate", "c")

    def test_options_without_a_wall(self):
        """Tokens and the check of a store need no wall file."""
        with tempfile.TemporaryDirectory() as state:
            self.assertEqual(run(program("wall-server"), "--tokens", "--state", state).returncode, 0)
            self.assertIn("cannot read", run(program("wall-ingest"), "--verify", f"{state}/none").stderr)

    def test_a_window_without_a_display(self):
        environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
        for display in ({}, {"DISPLAY": ":4711"}):
            result = subprocess.run([program("wall-control")], env=environment | display, capture_output=True, text=True, timeout=20)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertRegex(result.stderr, r"\Awall-control: no display to open a window on; set DISPLAY [^\n]*\n\Z")


class Import(unittest.TestCase):
    stall_max_s = float("inf")

    @classmethod
    def setUpClass(cls):
        cls.wall = Wall(1, 1, tile=(64, 40))

    def ingest(self, *options, source="lavfi:testsrc2=size=64x40:rate=30", frames=1, out=None):
        return run(program("wall-ingest"), source, "--frames", frames, "--wall", self.wall.file, "--out", out or self.wall.content, *options)

    def test_one_frame_has_no_plural(self):
        done = self.ingest("--name", "one")
        self.assertRegex(done.stdout, r"one: 1 frame, [\d.]+ MB")
        self.assertRegex(run(program("wall-ingest"), "--verify", self.wall.content / "one").stdout, r": 1 tile frame, 0 damaged$")

    def test_a_folder_above_the_store_is_made_when_asked(self):
        folder = self.wall.folder / "not" / "mounted"
        refused = self.ingest("--name", "far", out=folder)
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertIn(f"{self.wall.folder / 'not'}, which does not exist; ", refused.stderr)
        self.assertIn("--create", refused.stderr)
        self.assertFalse((self.wall.folder / "not").exists())
        self.assertEqual(self.ingest("--name", "far", "--create", out=folder).returncode, 0)
        self.assertTrue((folder / "far/visualization.json").exists())
        beside = self.wall.folder / "beside"
        self.assertEqual(self.ingest("--name", "near", out=f"{beside}/").returncode, 0, "its folder exists")

    def test_importing_again_says_how_to_replace(self):
        self.assertEqual(self.ingest("--name", "again").returncode, 0)
        refused = self.ingest("--name", "again")
        self.assertEqual((refused.returncode, refused.stderr),
                         (1, f"wall-ingest: {self.wall.content / 'again'} already exists; add --overwrite to replace it, or --name NAME to import it beside it\n"))

    def test_sound_is_kept_unless_unwanted(self):
        film = self.wall.folder / "film.mkv"
        made = run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x40:duration=1", "-f", "lavfi", "-i", "sine=duration=1:sample_rate=48000", "-c:v", "ffv1", "-c:a", "pcm_s24le", film)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertNotIn("sound", self.ingest("--name", "sound", source=film).stderr)
        sound = numpy.load(self.wall.content / "sound/audio.npy", mmap_mode="r")
        self.assertEqual((sound.dtype, sound.shape), (numpy.dtype("<i4"), (48000 // 25, 1)), "of the one frame")
        known = subprocess.run(["ffmpeg", "-v", "error", "-i", film, "-f", "s32le", "-"], stdout=subprocess.PIPE, check=True).stdout
        self.assertTrue((sound[:, 0] == numpy.frombuffer(known, "<i4")[:len(sound)]).all(), "the samples are FFmpeg's")
        self.assertEqual(self.ingest("--name", "left", "--no-sound", source=film).returncode, 0)
        self.assertFalse((self.wall.content / "left/audio.npy").exists())


class Doctor(unittest.TestCase):
    stall_max_s = float("inf")

    def test_each_finding_of_a_wall_on_this_host_has_one_row(self):
        wall = Wall(2, 1, tile=(64, 40))
        rows = [line.split("  ")[1 if line.startswith("ok") else 2] for line in
                (text.strip() for text in run(program("wall-probe"), "doctor", "--wall", wall.file).stdout.split("\n\n")[0].splitlines()[1:])]
        self.assertGreater(len(rows), 5)
        self.assertEqual(sorted(row for row in set(rows) if rows.count(row) > 1), [])

    def test_a_wall_on_one_host_needs_no_synchronized_clock(self):
        lines = run(program("wall-probe"), "doctor", "--wall", Wall(2, 1, tile=(64, 40)).file).stdout.splitlines()
        clock, = [line for line in lines if "system clock" in line]
        self.assertRegex(clock, r"^ +ok +system clock +one for all hosts +the wall is on this host alone$")


class Completion(unittest.TestCase):
    """Words that are completed, in a folder with a directory, a file, and one whose name has a space."""
    stall_max_s = float("inf")

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="lambdawall-completion-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        (cls.folder / "content").mkdir()
        (cls.folder / ".zsh").mkdir()
        (cls.folder / "wall.toml").touch()
        (cls.folder / "my film.mp4").touch()
        for name in PROGRAMS:
            for shell in ("bash", "zsh"):
                done = run(program(name), "--completion", shell)
                assert done.returncode == 0, done.stderr
                (cls.folder / (f".zsh/_{name}" if shell == "zsh" else f".bash-{name}")).write_text(done.stdout)

    def bash(self, *words):
        """The last word is completed. Bash cuts words at `=`."""
        cut = [part for word in words for part in (re.split("(=)", word) if word else [""]) if part or not word]
        if words[-1].endswith("="):
            cut = cut[:-1] + ["="]
        script = (f"source .bash-{words[0]}; COMP_WORDS=({' '.join(map(shlex.quote, cut))}); COMP_CWORD={len(cut) - 1}; "
                  f"$(complete -p {words[0]} | sed 's/.*-F \\([^ ]*\\).*/\\1/'); printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        done = subprocess.run(["bash", "--norc", "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=20)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return sorted(done.stdout.splitlines()) if done.stdout != "\n" else []

    def test_bash_completes_all_options_of_every_command(self):
        for command in commands():
            with self.subTest(" ".join(command)):
                listed = re.findall(r"^  (-[^\n]*?)(?:  |$)", help_of(command).split("\nExamples:")[0], re.M)
                self.assertEqual(self.bash(*command, "-"), sorted(options_in(" ".join(re.sub(r"(?<=\w) [^-, ]\S*|\[.*", "", entry) for entry in listed))))

    def test_bash_completes_subcommands_choices_and_files(self):
        self.assertEqual(self.bash("wall-probe", ""), sorted(subcommands()))
        self.assertEqual(self.bash("wall-probe", "s"), ["serve", "stamp", "sweep"])
        self.assertEqual(self.bash("wall-probe", "run", "--ti"), [])
        self.assertEqual(self.bash("wall-probe", "run", "--sec"), ["--seconds"])
        self.assertEqual(self.bash("wall-ingest", "film", "--fit", ""), ["exact", "fill", "fit", "stretch"])
        self.assertEqual(self.bash("wall-ingest", "film", "--fit=", ), ["exact", "fill", "fit", "stretch"])
        self.assertEqual(self.bash("wall-ingest", "film", "--fit=f"), ["fill", "fit"])
        self.assertEqual(self.bash("wall-server", "--wall", "w"), ["wall.toml"])
        self.assertEqual(self.bash("wall-server", "--content", ""), [".zsh", "content"])
        self.assertEqual(self.bash("wall-server", "--content", "/ssd1,c"), ["/ssd1,content"])
        self.assertEqual(self.bash("wall-ingest", "film", "--out", "left=c"), ["content"])
        self.assertEqual(self.bash("wall-ingest", "my"), ["my film.mp4"])
        self.assertEqual(self.bash("wall-client", "--node", ""), [], "names of the wall file are not known")

    def zsh(self, line):
        """The line after Tab, as a person types it into an interactive zsh."""
        answer = self.folder / "answer"
        answer.unlink(missing_ok=True)
        ours, theirs = pty.openpty()
        shell = subprocess.Popen(["zsh", "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.folder, start_new_session=True,
                                 env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "TERM": "dumb", "PS1": ""})
        os.close(theirs)
        begin = ("fpath=($PWD/.zsh $fpath); autoload -U compinit; compinit -u -D; zle -N show; bindkey '^G' show; "
                 'show() { print -r -- "$BUFFER" > answer; BUFFER=exit; zle .accept-line }; PS1=rea""dy\n')
        os.write(ours, begin.encode())
        shown = b""
        try:
            while select.select([ours], [], [], 20)[0]:
                got = os.read(ours, 4096)
                if b"ready" not in shown and b"ready" in shown + got:
                    os.write(ours, line.encode() + b"\t\x07")
                shown += got
        except OSError:
            pass  # the shell has ended
        finally:
            os.close(ours)
            shell.kill()
            shell.wait()
        self.assertTrue(answer.exists(), shown)
        return answer.read_text().rstrip("\n")

    @unittest.skipUnless(shutil.which("zsh"), "zsh is missing: scripts/install-deps test")
    def test_zsh_completes_subcommands_options_choices_and_files(self):
        for typed, completed in (("wall-probe ana", "wall-probe analyze "), ("wall-probe run --sec", "wall-probe run --seconds "),
                                 ("wall-ingest film --fit st", "wall-ingest film --fit stretch "), ("wall-server --wall w", "wall-server --wall wall.toml "),
                                 ("wall-server --content ", "wall-server --content content/"), ("wall-server --content /ssd1,c", "wall-server --content /ssd1,content/"),
                                 ("wall-ingest m", "wall-ingest my\\ film.mp4 "), ("wall-control --rec", "wall-control --record ")):
            with self.subTest(typed):
                self.assertEqual(self.zsh(typed), completed)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is missing: scripts/install-deps test")
    def test_zsh_accepts_the_scripts(self):
        for name in PROGRAMS:
            done = subprocess.run(["zsh", "-n", f".zsh/_{name}"], cwd=self.folder, capture_output=True, text=True, timeout=20)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)


if __name__ == "__main__":
    real_time.main()
