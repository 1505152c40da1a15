"""A desk with a computer and a person at it: a virtual display with its own window manager and message bus; hands, which press keys and the mouse's
buttons (XTEST); and eyes, which see what the programs report to assistive technology (AT-SPI), and take screenshots."""
import contextlib
import dataclasses
import os
import re
import subprocess
import time

import dbus
import dbus.bus
from PIL import Image

from wall import run, start, wait_until

ROOT = "/org/a11y/atspi/accessible/root"
ACCESSIBLE, COMPONENT, TEXT, PROPERTIES = "org.a11y.atspi.Accessible", "org.a11y.atspi.Component", "org.a11y.atspi.Text", "org.freedesktop.DBus.Properties"
CHECKED, SHOWING = 4, 25  # AtspiStateType
PATIENCE_S = 15
CALL_S = 10


@dataclasses.dataclass(frozen=True)
class Seen:
    """A control or a text on the screen."""
    role: str
    name: str
    description: str
    text: str  # typed into a field
    states: int
    box: tuple  # x, y, width, height
    depth: int

    def has(self, state):
        return bool(self.states >> state & 1)

    @property
    def middle(self):
        x, y, width, height = self.box
        return x + width // 2, y + height // 2

    def __str__(self):
        return f"{'  ' * self.depth}{self.role} '{self.name}' {self.text!r} {self.description!r} {self.box} {self.states:x}"


def display_of(*command):
    """Starts a program that writes a line about itself into a pipe; returns the line."""
    ready, told = os.pipe()
    start(*[str(told) if word is None else word for word in command], pass_fds=[told], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(told)
    with os.fdopen(ready) as lines:
        return lines.readline().strip()


class Desk:
    def __init__(self, home, size):
        self.size = size
        home.mkdir(parents=True, exist_ok=True)
        runtime = home / "runtime"
        runtime.mkdir(mode=0o700)
        kept = {key: value for key, value in os.environ.items() if key in ("PATH", "LD_LIBRARY_PATH")}
        self.environment = {**kept, "HOME": str(home), "XDG_RUNTIME_DIR": str(runtime), "LC_ALL": "C.UTF-8", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        number = display_of("Xvfb", "-displayfd", None, "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp")
        self.environment["DISPLAY"] = f":{number}"
        address = display_of("env", "-i", *self.words(), "dbus-daemon", "--session", "--nofork", "--print-address", None)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        self.start("openbox", "--sm-disable", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        session = dbus.bus.BusConnection(address)
        self.bus = dbus.bus.BusConnection(str(session.call_blocking("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", "", ())))

    def words(self):
        return [f"{key}={value}" for key, value in self.environment.items()]

    def start(self, *command, **kwargs):
        return start(*command, env=self.environment, start_new_session=True, **kwargs)

    def run(self, *command):
        done = run(*command, env=self.environment, timeout=30)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        return done.stdout

    # Eyes.

    def ask(self, who, interface, method, signature="", values=()):
        return self.bus.call_blocking(who[0], who[1], interface, method, signature, values, timeout=CALL_S)

    def children(self, who):
        return [(str(name), str(path)) for name, path in self.ask(who, ACCESSIBLE, "GetChildren")]

    def look_at(self, who, depth, found):
        """Adds what is shown of an element and of those within it."""
        low, high = self.ask(who, ACCESSIBLE, "GetState")
        states = int(low) | int(high) << 32
        if not states >> SHOWING & 1:
            return
        role = str(self.ask(who, ACCESSIBLE, "GetRoleName"))
        # Not GetAll: it ends programs of Qt 6.4.
        name, description = (str(self.ask(who, PROPERTIES, "Get", "ss", (ACCESSIBLE, key))) for key in ("Name", "Description"))
        box = tuple(map(int, self.ask(who, COMPONENT, "GetExtents", "u", (0,))))
        text = str(self.ask(who, TEXT, "GetText", "ii", (0, -1))) if role == "text" else ""
        found.append(Seen(role, name, description, text, states, box, depth))
        for child in self.children(who):
            with contextlib.suppress(dbus.DBusException):  # gone meanwhile
                self.look_at(child, depth + 1, found)

    def see(self):
        """Everything on the screen now that programs report. One that has just ended or is busy reports nothing."""
        found = []
        for program in self.children(("org.a11y.atspi.Registry", ROOT)):
            with contextlib.suppress(dbus.DBusException):
                for window in self.children(program):
                    self.look_at(window, 0, found)
        return found

    def find(self, name, role=None, description=""):
        """All that are called so, and described so (regular expressions)."""
        return [seen for seen in self.see() if role in (None, seen.role) and re.search(name, seen.name) and re.search(description, seen.description)]

    def wait_for(self, name, role=None, description="", seconds=PATIENCE_S):
        """The first one that is called so, once it is there and moves no more."""
        found, before = [], []

        def steady():
            before[:] = found
            found[:] = self.find(name, role, description)
            return bool(found and before) and found[0].box == before[0].box
        wait_until(steady, seconds, f"{role or 'anything'} '{name}' '{description}' on the screen")
        return found[0]

    def windows(self):
        """The names of all windows, the topmost last."""
        listed = self.run("xprop", "-root", "-notype", "_NET_CLIENT_LIST_STACKING")
        return [self.run("xdotool", "getwindowname", number).strip() for number in re.findall("0x[0-9a-f]+", listed)]

    def picture(self, file):
        self.run("import", "-window", "root", file)
        return Image.open(file).convert("RGB")

    # Hands.

    def click(self, target, role=None, description="", times=1):
        """`target`: a place, or what wait_for() finds by its name."""
        x, y = target if isinstance(target, tuple) else self.wait_for(target, role, description).middle
        self.run("xdotool", "mousemove", x, y, "sleep", 0.1, *["click", 1] * times)

    def press(self, *keys):
        self.run("xdotool", "key", "--delay", 40, *keys)

    def type(self, text):
        self.run("xdotool", "type", "--delay", 15, text)
