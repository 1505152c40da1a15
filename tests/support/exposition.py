"""Pages for Prometheus, read by the letter of the text format and of Prometheus' naming rules."""
import re
import urllib.request

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
SAMPLE = re.compile(r'^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? ([-+]?(?:[0-9.]+(?:e[-+]?[0-9]+)?|Inf|NaN))$')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')
# Units that are not Prometheus' base units (https://prometheus.io/docs/practices/naming).
WRONG_UNITS = re.compile(r"_(us|ms|ns|microseconds|milliseconds|nanoseconds|minutes|hours|kib|kilobytes|mib|megabytes|bits|gbit|percent)(_|$)")


def family_of(name, kinds):
    """Of a sample's name: a histogram's samples have endings."""
    for ending in ("_bucket", "_sum", "_count"):
        if name.endswith(ending) and kinds.get(base := name.removesuffix(ending)) == "histogram":
            return base
    return name


def check_histograms(samples, kinds):
    """Bounds ascend to +Inf, counts do not fall with them, and the last is the count."""
    series = {}
    for (name, labels), value in samples.items():
        if kinds.get(family_of(name, kinds)) != "histogram":
            continue
        others = tuple(label for label in labels if label[0] != "le")
        kept = series.setdefault((family_of(name, kinds), others), {"buckets": []})
        if name.endswith("_bucket"):
            kept["buckets"].append((float(dict(labels)["le"]), value))
        else:
            assert others == labels, (name, labels)
            kept[name.rpartition("_")[2]] = value
    for key, kept in series.items():
        bounds, counts = zip(*kept["buckets"])
        assert list(bounds) == sorted(set(bounds)) and bounds[-1] == float("inf"), (key, bounds)
        assert list(counts) == sorted(counts), (key, counts)
        assert counts[-1] == kept["count"] and "sum" in kept, (key, kept)


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
                assert rest in ("counter", "gauge", "histogram"), line
            continue
        match = SAMPLE.match(line)
        assert match, f"not in the format: {line}"
        series, labels = match[1], tuple(sorted(LABEL.findall(match[2] or "")))
        name = family_of(series, kinds)
        assert name in kinds and name in helps, f"HELP and TYPE come before: {line}"
        if family not in (None, name):
            done.add(family)
        assert name not in done, f"a family is in one piece: {line}"
        family = name
        assert (series, labels) not in samples, f"twice: {line}"
        assert len(dict(labels)) == len(labels) and not any(label.startswith("__") for label, _ in labels), line
        samples[series, labels] = float(match[3])
        if kinds[name] == "counter":
            assert samples[series, labels] >= 0, line
    for name, kind in kinds.items():
        assert name.startswith("lambdawall_") and name == name.lower() and "__" not in name, name
        assert (kind == "counter") == name.endswith("_total"), name
        assert not WRONG_UNITS.search(name), f"not a base unit: {name}"
        assert not helps[name].lower().startswith(name), name
    without = kinds.keys() - {family_of(name, kinds) for name, _ in samples}
    assert not without, f"families without samples: {without}"
    check_histograms(samples, kinds)
    return samples
