"""Runs a test file under Debian's own kernel, in a virtual machine. Usage: run_inside.py [--modules A,B] [--build MODULE.c] FILE [TEST...]

This host's kernel may lack what the test needs, and no test may change how it boots. In there nothing is missing: a
skipped test counts as failed. Without QEMU or the kernel's package, this program says what is missing, and exits with 77.
"""
import argparse
import os
import pathlib
import re
import shlex
import sys

import debian_kernel
import guest

skipped_status = 77


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--modules", default="", help="of the kernel, that the test needs")
    parser.add_argument("--build", type=pathlib.Path, help="source of a module that the test loads (debian_kernel.module_file)")
    parser.add_argument("words", nargs="+")
    options = parser.parse_args()
    words = [str(pathlib.Path(options.words[0]).resolve()), *options.words[1:]]
    programs = os.environ.get("LW_BIN", str(debian_kernel.ROOT / "build/release/bin"))
    try:
        if options.build:
            debian_kernel.build_module(options.build.resolve())
        text, status = guest.run_inside(shlex.join(["/usr/bin/python3", *words]), [name for name in options.modules.split(",") if name], {"LW_BIN": shlex.quote(programs)})
    except debian_kernel.Missing as missing:
        print(f"skipped: {missing}")
        return skipped_status
    print(text)
    if status is None:
        print("the guest did not end")
        return 1
    if re.search(r"\.\.\. skipped|skipped=", text):
        print("skipped in the guest, which should lack nothing")
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
