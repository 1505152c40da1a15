"""What a `throughput` test asks for, as options of `wall-probe run`, or the reasons why wall-probe cannot do it.

The fields are those of the test's specification, versions 1 to 7. Rates are per stream, as for the tool iperf3.
"""
import math
import re

from plugin import InputError, seconds_of

SCHEMA_MAX = 7
UDP_BITS_PER_S_DEFAULT = 1_000_000  # of a stream, as iperf3: a test that names no rate floods nobody
SINGLE_ENDED_PORT_DEFAULT = 9020  # of `wall-probe serve`
SERVER_START_S = 4  # for which the client waits for the other host's server
ROUND_TRIPS = 20    # of setting up a measurement and collecting its results
END_S = 3           # for the two programs to end

UNABLE = {
    "bandwidth-strict": "wall-probe sends the packets of a delayed frame faster",
    "flow-label": "wall-probe does not set flow labels",
    "mss": "wall-probe does not set the segment size of TCP; for UDP, use buffer-length",
    "reverse-connections": "connections always lead from the source to the destination",
    "zero-copy": "wall-probe does not choose between copying and not copying",
}


class Order:
    """A test for wall-probe: `options` of `wall-probe run`, without addresses and ports; `reasons` why it cannot be run."""

    def __init__(self, test):
        spec = test.get("spec") if isinstance(test, dict) else None
        self.spec = spec if isinstance(spec, dict) else {}
        self.options, self.reasons = [], []
        self.duration_s = 10.0
        self.omit_s = 0.0
        self.link_rtt_s = 0.2  # of the longest paths on Earth
        self.interval_s = 1.0
        if not isinstance(test, dict) or test.get("type") != "throughput":
            self.reasons.append("wall-probe runs tests of the type throughput only")
        elif not isinstance(spec, dict):
            self.reasons.append("the test has no specification")
        elif "dest" not in spec:
            self.reasons.append("the test has no destination")
        else:
            self._read()

    def get(self, field, default=None):
        return self.spec.get(field, default)

    @property
    def udp(self):
        return self.spec.get("udp") is True

    @property
    def reverse(self):
        return self.spec.get("reverse") is True

    @property
    def single_ended_port(self):
        return self.spec.get("single-ended-port", SINGLE_ENDED_PORT_DEFAULT)

    @property
    def participants(self):
        return 1 if self.get("single-ended") or self.get("loopback") else 2

    @property
    def setup_s(self):
        return SERVER_START_S + max(1.0, ROUND_TRIPS * self.link_rtt_s)

    @property
    def total_s(self):
        """The whole seconds that pScheduler has to reserve."""
        return math.ceil(self.setup_s + self.omit_s + self.duration_s + END_S)

    def refuse(self, field, reason):
        self.reasons.append(f"{field}: {reason}")

    def _read(self):
        for field, value in self.spec.items():
            if field in UNABLE:
                if value is not False:
                    self.refuse(field, UNABLE[field])
            elif field not in FIELDS:
                self.refuse(field, "unknown to this plugin")
            else:
                expected, check, take = FIELDS[field]
                if not check(value):
                    self.refuse(field, f"{value!r} is not {expected}")
                else:
                    take(self, value)
        if not self.reasons:
            self._combine()

    def _combine(self):
        if "bandwidth" in self.spec and "fq-rate" in self.spec:
            self.refuse("fq-rate", "wall-probe has the kernel pace TCP at the bandwidth; give one of the two")
        if self.get("single-ended") and self.get("loopback"):
            self.refuse("loopback", "excludes single-ended")
        if self.duration_s < 0.1:
            self.refuse("duration", "wall-probe measures for at least 0.1 s")
        rate = self.get("bandwidth", self.get("fq-rate", UDP_BITS_PER_S_DEFAULT if self.udp else None))
        if rate is not None:
            self.options += ["-b", str(rate * self.get("parallel", 1))]
        if not self.udp:
            self.options.append("--tcp")
        if self.reverse:
            self.options.append("-R")
        for name, seconds in (("-t", self.duration_s), ("-O", self.omit_s), ("-i", self.interval_s)):
            self.options += [name, f"{seconds:g}"]


def order_of(test):
    """The order of a test that can-run has accepted."""
    order = Order(test)
    if order.reasons:
        raise InputError("; ".join(order.reasons))
    return order


def _whole(least, most):
    return f"a whole number from {least} to {most}", lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _words(pattern, expected):
    return expected, lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _is_duration(value):
    try:
        return seconds_of(value) >= 0
    except ValueError:
        return False


def _nothing(order, value):
    """The field is read where it is needed."""


def _option(name):
    def take(order, value):
        order.options += [name, str(value)]
    return take


def _seconds(attribute):
    def take(order, value):
        setattr(order, attribute, seconds_of(value))
    return take


def _only(field, protocol, take):
    def check_and_take(order, value):
        if order.udp == (protocol == "UDP"):
            take(order, value)
        else:
            order.refuse(field, f"wall-probe has this for {protocol} only")
    return check_and_take


def _tos(order, value):
    if value & 3:
        order.refuse("ip-tos", "wall-probe does not set the two bits of ECN; use a multiple of 4")
    order.options += ["-S", str(value)]


def _no_delay(order, value):
    if not value:
        order.refuse("no-delay", "wall-probe always sets it")


def _cpu(of_client):
    def take(order, value):
        order.options += ["--sender-cpus" if of_client != order.reverse else "--receiver-cpus", str(value)]
    return take


_flag = "true or false", lambda value: isinstance(value, bool)
_duration = "a duration like PT10S", _is_duration
_host = _words(r"[A-Za-z0-9_:][A-Za-z0-9._:-]{0,254}", "a host name or an address")
_node = _words(r"[][A-Za-z0-9._:-]{1,300}", "a host with a port")
_rate = _whole(1, 10**13)
_bytes = _whole(1, 1 << 32)
_core = _whole(0, 4095)
# Each field: what its value has to be, the check of that, and what takes the value.
FIELDS = {
    "schema": (*_whole(1, SCHEMA_MAX), _nothing),
    "source": (*_host, _nothing),
    "source-node": (*_node, _nothing),
    "dest": (*_host, _nothing),
    "dest-node": (*_node, _nothing),
    "local-address": (*_host, _nothing),
    "ip-version": ("4 or 6", lambda value: value in (4, 6) and not isinstance(value, bool), _nothing),
    "duration": (*_duration, _seconds("duration_s")),
    "omit": (*_duration, _seconds("omit_s")),
    "interval": (*_duration, _seconds("interval_s")),
    "link-rtt": (*_duration, _seconds("link_rtt_s")),
    "parallel": (*_whole(1, 256), _option("-P")),
    "udp": (*_flag, _nothing),
    "reverse": (*_flag, _nothing),
    "single-ended": (*_flag, _nothing),
    "single-ended-port": (*_whole(1, 65535), _nothing),
    "loopback": (*_flag, _nothing),
    "bandwidth": (*_rate, _nothing),
    "fq-rate": (*_rate, _only("fq-rate", "TCP", _nothing)),
    "burst-size": (*_whole(1, 64), _only("burst-size", "UDP", _option("--burst-packets"))),
    "window-size": (*_bytes, _only("window-size", "TCP", _option("-w"))),
    "buffer-length": (*_bytes, _option("-l")),
    "ip-tos": (*_whole(0, 255), _tos),
    "no-delay": (*_flag, _only("no-delay", "TCP", _no_delay)),
    "congestion": (*_words(r"[A-Za-z0-9_]{1,15}", "the name of a congestion control"), _only("congestion", "TCP", _option("-C"))),
    "client-cpu-affinity": (*_core, _cpu(of_client=True)),
    "server-cpu-affinity": (*_core, _cpu(of_client=False)),
}
