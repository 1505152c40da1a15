"""wall-probe's result as a result of the test `throughput`. Units are those of that test, where it states them, and otherwise those of the tool iperf3: jitter in ms,
round trip in µs, `throughput-bytes` a number of bytes. Figures that were not measured are absent."""
import itertools
import json
import math


def throughput_of(order, results):
    """Of the participants' results; the source's has what both ends measured."""
    source = results[0]
    measured = _object(source, "result")
    answer = {"schema": 1, "succeeded": source.get("succeeded") is True and bool(_objects(measured, "flows")), "diags": _diags(results, measured), **_throughput(measured, order)}
    if not answer["succeeded"]:
        errors = [f"Participant {number}: {one['error']}" for number, one in enumerate(results) if isinstance(one.get("error"), str)]
        answer["error"] = "\n".join(errors) or "wall-probe's result has no flow"
    _put(answer, "mtu", source.get("mtu"), int)
    if order.get("window-size") is not None:
        answer["requested-tcp-window-size"] = order.get("window-size")
    return answer


def _diags(results, measured):
    parts = [f"Participant {number}:\n{one['diags']}" for number, one in enumerate(results) if isinstance(one.get("diags"), str)]
    parts += [f"Doubtful: {mark.get('note', mark.get('what'))}" for mark in _objects(measured, "marks")]
    if _object(measured, "figures"):
        parts.append("Figures, as docs/probe.md defines them: " + json.dumps(measured["figures"], sort_keys=True))
    return "\n".join(parts)


def _object(of, name):
    value = of.get(name)
    return value if isinstance(value, dict) else {}


def _objects(of, name):
    values = of.get(name)
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _throughput(measured, order):
    flows = _objects(measured, "flows")
    duration_s = _number(measured, "duration_s") or order.duration_s
    streams = [_stream(flow, _id_of(flow, index), duration_s) for index, flow in enumerate(flows)]
    intervals = []
    for parts in itertools.zip_longest(*([_interval(interval, _id_of(flow, index)) for interval in _objects(flow, "intervals")] for index, flow in enumerate(flows))):
        parts = [part for part in parts if part is not None]
        intervals.append({"streams": parts, "summary": _together(parts)})
    return {"intervals": intervals, "summary": {"streams": streams, "summary": _together(streams)}}


def _id_of(flow, index):
    return round(_number(flow, "flow") or index)


def _stream(flow, stream_id, duration_s):
    """Of the whole run: what the sender sent, and what the receiver received."""
    figures = _object(flow, "figures")
    sent = _number(_object(_object(flow, "sender"), "measured"), "packets")
    received_gbit = _number(figures, "gbit_per_s")
    gbit = _number(figures, "sent_gbit_per_s")
    gbit = received_gbit if gbit is None else gbit
    out = {"stream-id": stream_id, "start": 0.0, "end": float(duration_s)}
    _put_rate(out, gbit, duration_s)
    _put(out, "receiver-throughput-bits", _scaled(received_gbit, 1e9))
    _put(out, "sent", sent, int)
    _put(out, "lost", _number(figures, "lost"), int)
    _put(out, "jitter", _scaled(_number(figures, "jitter_us"), 1e-3))
    _put(out, "rtt", _number(figures, "rtt_us"))
    _put(out, "retransmits", _number(figures, "retransmits"), int)
    _put(out, "tcp-window-size", _number(figures, "cwnd_bytes"), int)
    return out


def _interval(interval, stream_id):
    """wall-probe's intervals are the receiver's."""
    begin, end = _number(interval, "begin_s") or 0.0, _number(interval, "end_s") or 0.0
    out = {"stream-id": stream_id, "start": float(begin), "end": float(end), "omitted": False}
    gbit = _number(interval, "gbit_per_s")
    _put_rate(out, gbit, end - begin)
    _put(out, "receiver-throughput-bits", _scaled(gbit, 1e9))
    lost, arrived = _number(interval, "lost"), _number(interval, "arrived")
    if lost is not None and arrived is not None:
        # Packets that another interval reports as lost may come in this one.
        _put(out, "lost", max(lost, 0), int)
        _put(out, "sent", max(lost + arrived, 0), int)
    _put(out, "jitter", _scaled(_number(interval, "jitter_us"), 1e-3))
    return out


SUMS = ["throughput-bits", "throughput-bytes", "receiver-throughput-bits", "sent", "lost", "retransmits"]


def _together(streams):
    """Sums; jitter and round trip of the worst stream. A sum of which a stream lacks its part is absent."""
    out = {}
    for name, choose in [("start", min), ("end", max), *((name, sum) for name in SUMS), ("jitter", max), ("rtt", max)]:
        values = [stream[name] for stream in streams if name in stream]
        if values and len(values) == len(streams):
            out[name] = choose(values)
    if any("omitted" in stream for stream in streams):
        out["omitted"] = False
    return out


def _put_rate(out, gbit_per_s, duration_s):
    _put(out, "throughput-bits", _scaled(gbit_per_s, 1e9))
    _put(out, "throughput-bytes", _scaled(gbit_per_s, 1e9 / 8 * duration_s), int)


def _number(of, name):
    value = of.get(name)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) else None


def _scaled(value, factor):
    return None if value is None else value * factor


def _put(out, name, value, kind=float):
    if value is not None:
        out[name] = round(value) if kind is int else float(value)
