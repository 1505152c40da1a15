"""What the simulator and the truth test are worth: puts one defect at a time into a copy of the tree and says whether they find it.

    /usr/bin/python3 tests/simulate/mutations.py --tree /tmp/mutated [--only NAME ...] [--list]

The copy is a git worktree at the present commit, made when it is not there; it is left as it was. Exit 0 if all that was tried was found.
"""
import argparse
import os
import pathlib
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time

from mutation_table import MUTATIONS

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT_S = 900  # of a run: it takes a tenth of that on two idle cores
RUNS = {
    "simulate": (["simulate", "--seeds", "150", "--hours", "0.1"], re.compile(r"broken in episode (.*)")),
    "standby": (["simulate", "--standby", "hot", "--seeds", "150", "--harms", "10"], re.compile(r"broken in harm \d+: (.*)")),
    "truth_test": (["truth_test", "--patterns", "30000"], re.compile(r"--seed \d+ --session \d+ \([^)]*\)(.*)|(the patterns do not reach.*)")),
}


def git(tree, *arguments):
    return subprocess.run(["git", *arguments], cwd=tree, check=True, capture_output=True, text=True).stdout


def prepare(tree):
    if git(ROOT, "status", "--porcelain"):
        sys.exit("mutations: uncommitted changes: what is judged is what is committed")
    if not tree.exists():
        git(ROOT, "worktree", "add", "--detach", str(tree), "HEAD")
    if git(tree, "status", "--porcelain"):
        sys.exit(f"mutations: {tree} has changes")
    git(tree, "checkout", "--detach", git(ROOT, "rev-parse", "HEAD").strip())
    subprocess.run(["cmake", "--preset", "release"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    if not build(tree):
        sys.exit(f"mutations: {tree} does not build")


def build(tree):
    command = ["cmake", "--build", "--preset", "release", "--target", *{arguments[0] for arguments, _ in RUNS.values()}]
    return subprocess.run(command, cwd=tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0).returncode == 0


class Run:
    """A program that looks for the defect, and what it said."""

    def __init__(self, tree, name, scratch):
        arguments, self.finds = RUNS[name]
        self.name = name
        self.process = subprocess.Popen([str(tree / "build/release/bin" / arguments[0]), *arguments[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        env={**os.environ, "TMPDIR": scratch}, process_group=0)
        self.said = b""

    def found(self):
        """What it found; None while it looks, and an empty text where it ended without."""
        match = self.finds.search(self.said.decode(errors="replace"))
        if match:
            return " ".join(part for part in match.groups() if part).strip(": ")
        status = self.process.poll()
        if status is None:
            return None
        return "" if status == 0 else f"ends with {status}: {self.said.decode(errors='replace')[-200:].strip()}"

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def look(tree):
    """By whom what was found: the first that finds something ends the others."""
    with tempfile.TemporaryDirectory() as scratch, selectors.DefaultSelector() as selector:
        runs = [Run(tree, name, scratch) for name in RUNS]
        try:
            for run in runs:
                selector.register(run.process.stdout, selectors.EVENT_READ, run)
            until = time.monotonic() + LIMIT_S
            while selector.get_map():
                for key, _ in selector.select(1):
                    chunk = os.read(key.fileobj.fileno(), 65536)
                    key.data.said += chunk
                    if not chunk:
                        selector.unregister(key.fileobj)
                        key.data.process.wait()
                    if found := key.data.found():
                        return f"{key.data.name}: {found}"
                if time.monotonic() > until:
                    return "; ".join(f"{run.name}: is not over after {LIMIT_S} s" for run in runs if run.process.poll() is None)
            return None
        finally:
            for run in runs:
                run.stop()


def attempt(tree, mutation):
    path = tree / mutation.file
    text = path.read_text()
    if text.count(mutation.old) != 1:
        return "error: the text to change is not there once"
    try:
        path.write_text(text.replace(mutation.old, mutation.new))
        if not build(tree):
            return "error: does not build"
        found = look(tree)
        return f"found by {found}" if found else "NOT FOUND"
    finally:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=pathlib.Path, help="the copy that is mutated")
    parser.add_argument("--only", nargs="+", default=[], help="names")
    parser.add_argument("--list", action="store_true", help="say what there is")
    options = parser.parse_args()
    chosen = [mutation for mutation in MUTATIONS if not options.only or mutation.name in options.only]
    if options.list:
        for mutation in chosen:
            print(f"{mutation.name}  {mutation.file}: {mutation.breaks}")
        return 0
    if options.tree is None or not chosen:
        parser.error("--tree, and names that there are")
    tree = options.tree.resolve()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("mutations: ended"))  # so that the tree is restored
    prepare(tree)
    missed = 0
    for mutation in chosen:
        verdict = attempt(tree, mutation)
        missed += not verdict.startswith("found")
        print(f"{mutation.name}: {verdict}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
