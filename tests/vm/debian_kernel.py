"""Debian's own kernel package, unpacked beside the build: nothing of it is installed, and this host boots as before. Modules of our own are built with its headers."""
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build/debian-kernel"
META_PACKAGE = "linux-image-amd64"  # depends on the newest kernel of the release


class Missing(Exception):
    """What a test cannot do without, and this host lacks."""


class Kernel:
    def __init__(self, folder):
        self.image = next((folder / "boot").glob("vmlinuz-*"))
        self.version = self.image.name.removeprefix("vmlinuz-")
        self.modules = folder / "lib/modules" / self.version


def kernel():
    """From the last time, or from the package archive."""
    if not (FOLDER / "complete").exists():
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        package = download(newest_package())
        call("dpkg-deb", "-x", package, FOLDER)
        package.unlink()
        call("depmod", "-b", FOLDER, Kernel(FOLDER).version)
        (FOLDER / "complete").touch()
    return Kernel(FOLDER)


def module_file(name):
    return FOLDER / f"built/{name}/{name}.ko"


def build_module(source):
    """For the kernel, with the headers of its version."""
    version = kernel().version
    headers = FOLDER / "headers/usr/src" / f"linux-headers-{version}"
    common = headers.with_name(f"linux-headers-{version.removesuffix('-amd64')}-common")
    if not (FOLDER / "headers/complete").exists():
        for package in (headers.name, common.name, f"linux-kbuild-{'.'.join(version.split('.')[:2])}"):
            file = download(package)
            call("dpkg-deb", "-x", file, FOLDER / "headers")
            file.unlink()
        (FOLDER / "headers/complete").touch()
    folder = module_file(source.stem).parent
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, folder)
    (folder / "Kbuild").write_text(f"obj-m := {source.stem}.o\n")
    # Its own makefile names the place where the package would be installed.
    call("make", "-C", headers, "-f", common / "Makefile", f"M={folder}", "modules", f"-j{os.cpu_count()}")


def newest_package():
    depends = call("apt-cache", "depends", "--important", META_PACKAGE)
    found = re.search(r"Depends: (linux-image-[\w.-]+)", depends)
    if not found:
        raise Missing(f"apt knows no package {META_PACKAGE}; apt-get update")
    return found.group(1)


def download(package):
    # As root, apt drops its rights, which may not reach this folder.
    call("apt-get", "download", "-o", "APT::Sandbox::User=root", package, cwd=FOLDER)
    return next(FOLDER.glob(f"{package}_*.deb"))


def call(*words, cwd=None):
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, cwd=cwd)
    except FileNotFoundError:
        raise Missing(f"{words[0]} is missing; scripts/install-deps hosts") from None
    if done.returncode != 0:
        raise Missing(f"{' '.join(map(str, words))}: {(done.stderr.strip() or done.stdout.strip()).splitlines()[-1]}")
    return done.stdout
