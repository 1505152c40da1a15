"""What all methods of the plugin share: JSON on standard input and output, ISO 8601 as pScheduler writes it, this host's settings.

Needs Python 3.7 or newer, and nothing but its standard library.
"""
import configparser
import datetime
import json
import os
import re
import shutil
import sys

SETTINGS_FILE = "/etc/pscheduler/tool/wall-probe.conf"
INPUT_BYTES_MAX = 64 << 20  # results of all participants
PORT_DEFAULT = 9021  # beside a `wall-probe serve` at its own default port
BASE_PORT_DEFAULT = 50000


class InputError(Exception):
    """pScheduler's input is not what the method takes."""


def method(function, input_error=1):
    """The main program of a method: answers standard input on standard output. `input_error` is the method's exit status for input that it cannot use."""
    try:
        given = None
        if function.__code__.co_argcount > 0:
            given = read_json(sys.stdin.buffer.read(INPUT_BYTES_MAX + 1))
        print(json.dumps(function(given) if given is not None else function()))
    except InputError as error:
        print(f"wall-probe: {error}", file=sys.stderr)
        sys.exit(input_error)


def read_json(data):
    if len(data) > INPUT_BYTES_MAX:
        raise InputError(f"the input has more than {INPUT_BYTES_MAX >> 20} MiB")
    try:
        given = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the input is not JSON: {error}") from None
    if not isinstance(given, dict):
        raise InputError("the input is not a JSON object")
    return given


def member(given, name, kind):
    """A member that has to be there, of this type."""
    value = given.get(name)
    if not isinstance(value, kind) or isinstance(value, bool) and kind is not bool:
        raise InputError(f"'{name}' is missing from the input, or is not what it should be")
    return value


def seconds_of(text):
    """Of an ISO 8601 duration, which for pScheduler has neither years nor months: "PT1M30S", "P1DT0.5H"."""
    number = r"(\d+(?:\.\d+)?)"
    found = re.fullmatch(rf"P(?:{number}W)?(?:{number}D)?(?:T(?:{number}H)?(?:{number}M)?(?:{number}S)?)?", text) if isinstance(text, str) else None
    if not found or not any(found.groups()):
        raise ValueError(f"{text!r} is not a duration like PT10S")
    return sum(float(part) * unit for part, unit in zip(found.groups(), (604800, 86400, 3600, 60, 1)) if part)


def time_of(text):
    """Of an ISO 8601 date and time with its offset, in seconds since 1970."""
    try:
        when = datetime.datetime.fromisoformat(re.sub(r"Z$", "+00:00", text))
    except (TypeError, ValueError):
        raise InputError(f"{text!r} is not a time like 2026-01-31T12:00:00+00:00") from None
    if when.tzinfo is None:
        raise InputError(f"{text!r} does not state its offset from UTC")
    return when.timestamp()


def found_program():
    """The wall-probe of PATH, with the folders of packages and of `install`, whatever PATH the service has; only the name if there is none, for the error."""
    path = os.pathsep.join(part for part in (os.environ.get("PATH", ""), "/usr/local/bin", "/usr/bin") if part)
    return shutil.which("wall-probe", path=path) or "wall-probe"


class Settings:
    """Of this host, from SETTINGS_FILE where it exists."""

    def __init__(self, file=None):
        file = file or os.environ.get("WALL_PROBE_CONF", SETTINGS_FILE)
        read = configparser.ConfigParser()
        try:
            read.read(file)
            section = read["wall-probe"] if read.has_section("wall-probe") else {}
        except configparser.Error as error:
            raise InputError(f"cannot read {file}: {error}") from None
        self.command = section.get("command") or found_program()
        self.port = self._port(section, "port", PORT_DEFAULT, file)
        self.base_port = self._port(section, "base_port", BASE_PORT_DEFAULT, file)

    @staticmethod
    def _port(section, name, default, file):
        text = section.get(name, str(default))
        if not text.isdecimal() or not 1 <= int(text) <= 65535:
            raise InputError(f"{name} = {text} in {file} is not a port; write a number from 1 to 65535")
        return int(text)
