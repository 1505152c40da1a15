"""pScheduler's test `throughput`: the fields of its specification, by the schema that brought them, and the form of its result. Written from the test's description
(github.com/perfsonar/pscheduler, pscheduler-test-throughput), so that a result is judged by something other than the plugin that makes it."""

SPEC_FIELDS = {
    1: ["schema", "source", "source-node", "dest", "dest-node", "duration", "interval", "parallel", "udp", "bandwidth", "window-size", "mss", "buffer-length", "ip-tos", "ip-version",
        "local-address", "omit", "no-delay", "congestion", "zero-copy", "flow-label", "client-cpu-affinity", "server-cpu-affinity", "reverse"],
    2: ["single-ended", "single-ended-port"],
    3: ["link-rtt"],
    4: ["bandwidth-strict", "burst-size"],
    5: ["loopback"],
    6: ["reverse-connections"],
    7: ["fq-rate"],
}


def _or_null(kind):
    return {"type": [kind, "null"]}


_data = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "throughput-bits": {"type": "number"}, "throughput-bytes": {"type": "number"}, "receiver-throughput-bits": {"type": "number"},
        "sent": _or_null("integer"), "lost": _or_null("integer"), "jitter": _or_null("number"), "rtt": _or_null("number"),
        "tcp-window-size": _or_null("integer"), "retransmits": _or_null("integer"),
        "stream-id": {"type": ["string", "integer"]}, "start": {"type": "number"}, "end": {"type": "number"}, "omitted": {"type": "boolean"},
    },
}
_streams_and_summary = {"type": "object", "properties": {"streams": {"type": "array", "items": _data}, "summary": _data}}
RESULT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["succeeded", "diags", "intervals", "summary"],
    "properties": {
        "schema": {"type": "integer", "minimum": 1}, "succeeded": {"type": "boolean"}, "error": {"type": "string"}, "diags": {"type": "string"},
        "mss": {"type": "integer"}, "mtu": {"type": "integer"}, "tcp-window-size": {"type": "integer"}, "requested-tcp-window-size": {"type": "integer"},
        "intervals": {"type": "array", "items": _streams_and_summary},
        "summary": _streams_and_summary,
    },
}
