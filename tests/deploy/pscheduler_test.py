"""The plugin for pScheduler (deploy/pscheduler) without a network: what it makes of a test's specification and of wall-probe's results."""
import pathlib
import random
import sys
import unittest

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "deploy/pscheduler/wall-probe"), str(ROOT / "tests/support")]
import plugin  # noqa: E402
import result  # noqa: E402
import route  # noqa: E402
import spec  # noqa: E402
import throughput_schema  # noqa: E402


def test_of(**fields):
    return {"type": "throughput", "spec": {"schema": 1, "dest": "192.0.2.1", **{name.replace("_", "-"): value for name, value in fields.items()}}}


def options_of(**fields):
    order = spec.Order(test_of(**fields))
    assert order.reasons == [], order.reasons
    return order.options


def anything(dice, depth=3):
    """A JSON value, of whatever kind."""
    kinds = [lambda: None, lambda: dice.random() < 0.5, lambda: dice.randrange(-5, 10**dice.randrange(1, 14)), lambda: dice.uniform(-1e3, 1e12), lambda: dice.choice(["", "PT1S", "10.0.0.1", "-h", "a b", "é"])]
    if depth > 0:
        kinds += [lambda: [anything(dice, depth - 1) for _ in range(dice.randrange(4))], lambda: {dice.choice("abc"): anything(dice, depth - 1) for _ in range(dice.randrange(4))}]
    return dice.choice(kinds)()


class Text(unittest.TestCase):
    def test_durations(self):
        for text, seconds in (("PT10S", 10), ("PT0.25S", 0.25), ("P1DT2H3M4.5S", 93784.5), ("P2W", 1209600), ("P1D", 86400)):
            self.assertEqual(plugin.seconds_of(text), seconds)
        for text in ("", "P", "PT", "10", "P1Y", "PT-1S", "PT1S ", "P1M", "R5PT1M", None, 10, "PT1,5S"):
            self.assertRaises(ValueError, plugin.seconds_of, text)

    def test_times(self):
        self.assertEqual(plugin.time_of("1970-01-02T00:00:00Z"), 86400)
        self.assertEqual(plugin.time_of("1970-01-01T02:00:00+02:00"), 0)
        self.assertEqual(plugin.time_of("2026-05-19T14:49:20.500000-04:00"), 1779216560.5)
        for text in ("", "now", "2026-05-19T14:49:20", None, 5):  # one without an offset means another time on each host
            self.assertRaises(plugin.InputError, plugin.time_of, text)

    def test_input(self):
        self.assertEqual(plugin.read_json(b'{"a": 1}'), {"a": 1})
        for data in (b"", b"[]", b"{", b"\xff", b"[" * 100_000, b" " * (plugin.INPUT_BYTES_MAX + 1)):
            self.assertRaises(plugin.InputError, plugin.read_json, data)


class Spec(unittest.TestCase):
    def test_every_field_of_the_test_is_taken_or_refused_by_name(self):
        known = [field for fields in throughput_schema.SPEC_FIELDS.values() for field in fields]
        self.assertEqual(sorted(known), sorted([*spec.FIELDS, *spec.UNABLE]))
        self.assertEqual(max(throughput_schema.SPEC_FIELDS), spec.SCHEMA_MAX)

    def test_options(self):
        tail = ["-t", "10", "-O", "0", "-i", "1"]
        self.assertEqual(options_of(), ["--tcp", *tail])
        self.assertEqual(options_of(reverse=True, window_size=65536, congestion="bbr", no_delay=True), ["-w", "65536", "-C", "bbr", "--tcp", "-R", *tail])
        self.assertEqual(options_of(fq_rate=3_000_000, parallel=2, schema=7), ["-P", "2", "-b", "6000000", "--tcp", *tail])
        self.assertEqual(options_of(udp=True), ["-b", "1000000", *tail])
        self.assertEqual(options_of(udp=True, parallel=4, bandwidth=10**9, buffer_length=1400, ip_tos=184, burst_size=3, duration="PT30S", omit="PT2S", interval="PT0.5S"),
                         ["-P", "4", "-l", "1400", "-S", "184", "--burst-packets", "3", "-b", "4000000000", "-t", "30", "-O", "2", "-i", "0.5"])
        self.assertEqual(options_of(client_cpu_affinity=1, server_cpu_affinity=2), ["--sender-cpus", "1", "--receiver-cpus", "2", "--tcp", *tail])
        self.assertEqual(options_of(client_cpu_affinity=1, server_cpu_affinity=2, reverse=True), ["--receiver-cpus", "1", "--sender-cpus", "2", "--tcp", "-R", *tail])

    def test_what_cannot_be_done_is_refused_with_its_reason(self):
        for field, value in (("mss", 1400), ("zero_copy", True), ("flow_label", 5), ("bandwidth_strict", True), ("reverse_connections", True), ("ip_tos", 185), ("parallel", 0), ("parallel", True),
                             ("duration", "ten"), ("duration", "PT0S"), ("burst_size", 4), ("no_delay", False), ("dest", "-rf"), ("dest", 5), ("congestion", "a b"), ("schema", 8), ("udp", 1),
                             ("ip_version", 5), ("invented", 1)):
            reasons = spec.Order(test_of(**{field: value})).reasons
            self.assertEqual(len(reasons), 1, reasons)
            self.assertTrue(reasons[0].startswith(field.replace("_", "-") + ": "), reasons)
        for fields in ({"window_size": 1, "udp": True}, {"congestion": "cubic", "udp": True}, {"fq_rate": 1, "udp": True}, {"fq_rate": 1, "bandwidth": 1}, {"single_ended": True, "loopback": True}):
            self.assertEqual(len(spec.Order(test_of(**fields)).reasons), 1)
        self.assertEqual(spec.Order(test_of(zero_copy=False, reverse_connections=False)).reasons, [])
        for other in ({}, {"type": "rtt", "spec": {}}, {"type": "throughput"}, {"type": "throughput", "spec": {}}, []):
            self.assertEqual(len(spec.Order(other).reasons), 1)

    def test_whatever_is_asked_for_is_an_order_or_has_reasons(self):
        dice = random.Random(21)
        fields = [*spec.FIELDS, *spec.UNABLE, "invented"]
        orders = 0
        for _ in range(5000):
            sensible = {"parallel": dice.randrange(1, 9), "bandwidth": dice.randrange(1, 10**10), "udp": dice.random() < 0.5, "duration": f"PT{dice.randrange(1, 90)}S", "omit": "PT1.5S", "link-rtt": "PT0.05S"}
            given = {name: value for name, value in sensible.items() if dice.random() < 0.5}
            given.update((dice.choice(fields), anything(dice)) for _ in range(dice.randrange(3)))
            order = spec.Order({"type": "throughput", "spec": {"dest": "h", **given}})
            self.assertTrue(all(isinstance(reason, str) and reason for reason in order.reasons))
            if not order.reasons:
                orders += 1
                self.assertTrue(all(isinstance(option, str) for option in order.options))
                self.assertGreaterEqual(order.total_s, order.duration_s + order.omit_s + spec.SERVER_START_S + spec.END_S)
        self.assertGreater(orders, 500)

    def test_datagrams_fit_the_path(self):
        for family, mtu, payload in ((route.socket.AF_INET, 1500, 1472), (route.socket.AF_INET6, 1500, 1452), (route.socket.AF_INET, 65536, 8900), (route.socket.AF_INET, 100, 200)):
            self.assertEqual(route.datagram_of(route.Route(family, "", "", None, mtu)), payload)


def measured_flow(dice, number, udp):
    """As wall-probe reports a flow (docs/probe.md)."""
    lost, packets = dice.randrange(50), dice.randrange(100, 10**6)
    figures = {"gbit_per_s": dice.uniform(0.1, 10), "sent_gbit_per_s": dice.uniform(0.1, 10), "rtt_us": dice.uniform(10, 1e5)}
    figures.update({"lost": float(lost), "jitter_us": dice.uniform(0, 1000)} if udp else {"retransmits": float(lost), "cwnd_bytes": 785796.0})
    intervals = [{"begin_s": float(i), "end_s": i + 1.0, "gbit_per_s": dice.uniform(0.1, 10), **({"lost": dice.randrange(-1, 3), "arrived": dice.randrange(1, 9999), "jitter_us": dice.uniform(0, 9)} if udp else {})}
                 for i in range(3)]
    return {"flow": number, "load": "main", "direction": "forward", "figures": figures, "intervals": intervals, "sender": {"measured": {"packets": packets} if udp else {}, "ever": {}}}


class Result(unittest.TestCase):
    form = jsonschema.Draft202012Validator(throughput_schema.RESULT)

    def merged(self, order, results):
        merged = result.throughput_of(order, results)
        self.form.validate(merged)
        return merged

    def test_sums_and_units(self):
        dice = random.Random(5)
        for udp in (True, False):
            order = spec.Order(test_of(udp=udp, **({} if udp else {"window_size": 4096})))
            flows = [measured_flow(dice, number, udp) for number in range(4)]
            merged = self.merged(order, [{"succeeded": True, "diags": "a", "mtu": 1500, "result": {"flows": flows, "duration_s": 3.0, "marks": [{"what": "clock_stepped"}], "figures": {"loss": 0.5}}}, {"succeeded": True, "diags": "b"}])
            self.assertTrue(merged["succeeded"])
            self.assertNotIn("error", merged)
            for part in ("Participant 0:\na", "Participant 1:\nb", "clock_stepped", '"loss": 0.5'):
                self.assertIn(part, merged["diags"])
            streams, summary = merged["summary"]["streams"], merged["summary"]["summary"]
            for flow, stream in zip(flows, streams):
                self.assertEqual(stream["throughput-bits"], flow["figures"]["sent_gbit_per_s"] * 1e9)
                self.assertEqual(stream["receiver-throughput-bits"], flow["figures"]["gbit_per_s"] * 1e9)
                self.assertAlmostEqual(stream["throughput-bytes"] * 8 / 3, stream["throughput-bits"], delta=8)
                self.assertEqual(stream["rtt"], flow["figures"]["rtt_us"])
                self.assertEqual(("retransmits" in stream, "sent" in stream, "jitter" in stream), (not udp, udp, udp))
                if udp:
                    self.assertEqual((stream["jitter"], stream["lost"]), (flow["figures"]["jitter_us"] / 1000, flow["figures"]["lost"]))
            for name in result.SUMS:
                self.assertEqual(summary.get(name), sum(stream[name] for stream in streams) if name in streams[0] else None)
            self.assertEqual(summary["rtt"], max(stream["rtt"] for stream in streams))
            self.assertEqual([(one["summary"]["start"], one["summary"]["end"], len(one["streams"])) for one in merged["intervals"]], [(0, 1, 4), (1, 2, 4), (2, 3, 4)])
            for one in merged["intervals"]:
                self.assertGreaterEqual(one["summary"].get("lost", 0), 0)
            self.assertEqual(merged.get("requested-tcp-window-size"), None if udp else 4096)

    def test_what_was_not_measured_is_absent(self):
        flows = [measured_flow(random.Random(1), 0, True), measured_flow(random.Random(2), 1, True)]
        del flows[1]["figures"]["jitter_us"], flows[1]["sender"]
        summary = self.merged(spec.Order(test_of(udp=True)), [{"succeeded": True, "result": {"flows": flows}}, {}])["summary"]
        self.assertIn("sent", summary["streams"][0])
        self.assertEqual({"sent", "jitter"} & (set(summary["streams"][1]) | set(summary["summary"])), set())

    def test_failures_name_the_participant(self):
        order = spec.Order(test_of())
        merged = self.merged(order, [{"succeeded": False, "error": "no wall-probe serves"}, {"succeeded": False, "error": "port in use", "diags": "log"}])
        self.assertEqual((merged["succeeded"], merged["error"]), (False, "Participant 0: no wall-probe serves\nParticipant 1: port in use"))
        # Results from before the failure are shown, but the run did not succeed.
        flows = [measured_flow(random.Random(1), 0, False)]
        broken = self.merged(order, [{"succeeded": False, "error": "ended early", "result": {"flows": flows}}, {"succeeded": True}])
        self.assertFalse(broken["succeeded"])
        self.assertEqual(len(broken["intervals"]), 3)
        self.assertFalse(self.merged(order, [{"succeeded": True, "result": {}}, {}])["succeeded"])

    def test_whatever_a_participant_brings_the_result_has_its_form(self):
        dice = random.Random(9)
        order = spec.Order(test_of(udp=True))
        for _ in range(2000):
            flow = measured_flow(dice, 0, True)
            for of in (flow, flow["figures"], flow["intervals"][0], flow["sender"]):
                if dice.random() < 0.3:
                    of[dice.choice([*of, "new"])] = anything(dice)
            brought = {"succeeded": True, "diags": "x", "result": {"flows": [flow, measured_flow(dice, 1, True)], "duration_s": 3.0}}
            if dice.random() < 0.3:
                brought[dice.choice(list(brought))] = anything(dice)
            if dice.random() < 0.3 and isinstance(brought["result"], dict):
                brought["result"][dice.choice(["flows", "duration_s", "marks", "figures"])] = anything(dice)
            self.merged(order, [brought, {dice.choice(["diags", "error"]): anything(dice)}])


if __name__ == "__main__":
    unittest.main(verbosity=2)
