"""Pages for Prometheus, read by the letter of the text format and of Prometheus' naming rules."""
import re
import urllib.request

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
SAMPLE = re.compile(r'^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? ([-+]?(?:[0-9.]+(?:e[-+]?[0-9]+)?|Inf|NaN))$')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')
# Units that are not Prometheus' base units (https://prometheus.io/docs/practices/naming).
WRONG_UNITS = re.compile(r"_(us|ms|ns|microseconds|milliseconds|nanoseconds|minutes|hours|kib|kilobytes|mib|megabytes|bits|gbit|percent)(_|$)")


def get(address, path="/metrics"):
    with urllib.request.urlopen(f"http://{address}{path}", timeout=10) as answer:
        return answer.headers, answer.read().decode()


def parse(text):
    """Samples as {(name, labels)}: checks the format (0.0.4) and the naming rules on the way."""
    assert text.endswith("\n")
    kinds, helps, samples, done, family = {}, {}, {}, set(), None
    for line in text.splitlines():
        assert line == line.strip() and line, repr(line)
        if line.startswith("#"):
            _, what, name, rest = line.split(" ", 3)
            assert what in ("HELP", "TYPE") and NAME.fullmatch(name) and rest, line
            table = helps if what == "HELP" else kinds
            assert name not in table and name not in done, f"twice: {line}"
            table[name] = rest
            if what == "TYPE":
                assert rest in ("counter", "gauge"), line
            continue
        match = SAMPLE.match(line)
        assert match, f"not in the format: {line}"
        name, labels = match[1], tuple(sorted(LABEL.findall(match[2] or "")))
        assert name in kinds and name in helps, f"HELP and TYPE come before: {line}"
        if family not in (None, name):
            done.add(family)
        assert name not in done, f"a family is in one piece: {line}"
        family = name
        assert (name, labels) not in samples, f"twice: {line}"
        assert len(dict(labels)) == len(labels) and not any(label.startswith("__") for label, _ in labels), line
        samples[name, labels] = float(match[3])
        if kinds[name] == "counter":
            assert samples[name, labels] >= 0, line
    for name, kind in kinds.items():
        assert name.startswith("lambdawall_") and name == name.lower() and "__" not in name, name
        assert (kind == "counter") == name.endswith("_total"), name
        assert not WRONG_UNITS.search(name), f"not a base unit: {name}"
        assert not helps[name].lower().startswith(name), name
    assert {name for name, _ in samples} == kinds.keys(), "a family without samples"
    return samples
