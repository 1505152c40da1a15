"""The Debian packages of this tree, for the tests that install them."""
import re
import shutil

from debian_host import CACHE, ROOT, checked

BUILT = CACHE / "packages"
NAMES = sorted(["python3-lambdawall", *(f"lambdawall-{name}" for name in ("client", "common", "control", "doc", "ingest", "probe", "relay", "samples", "server"))])


def version():
    return re.search(r"^project\(lambdawall VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M).group(1)


def files():
    """scripts/test --hosts makes them first (the test packages.make)."""
    found = sorted(BUILT.glob("*lambdawall*.deb"))
    assert found, f"there are no packages; run scripts/package --out {BUILT}"
    return found


def dependencies():
    """The names of the packages that ours need."""
    names = set()
    for file in files():
        for dependency in checked("dpkg-deb", "--field", file, "Depends").split(","):
            name = re.match(r"\s*([a-z0-9.+-]*)", dependency).group(1)
            if name and name not in NAMES:
                names.add(name)
    return sorted(names)


def older(folder, number):
    """The same packages, as those of a lower version."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in files():
        tree = folder / "tree"
        checked("dpkg-deb", "--raw-extract", file, tree)
        control = tree / "DEBIAN/control"
        control.write_text(control.read_text().replace(version(), number))
        checked("dpkg-deb", "--root-owner-group", "--build", tree, folder / file.name.replace(version(), number))
        shutil.rmtree(tree)
