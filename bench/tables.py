"""The tables of docs/performance.md from the figures of a run: what stands between <!-- bench: PART --> and <!-- end of bench --> is written here and nowhere else."""
import pathlib
import re

HEAD = ("| measure | ours | compared with | ratio | target |", "| --- | --- | --- | --- | --- |")
BLOCK = re.compile(r"(<!-- bench: ([\w ]+) -->\n).*?(<!-- end of bench -->)", re.DOTALL)
RUN = "run"  # a block with a line about the run


def number(value):
    """Three digits, or a small number's power of ten."""
    return f"{value:.1e}" if 0 < abs(value) < 1e-3 else f"{value:.0f}" if abs(value) >= 999.5 else f"{value:#.3g}".rstrip(".")


def ours(row):
    if row["ours"] is None:
        return f"none: {row['mark']}"
    return row["text"] or f"{number(row['ours'])} {row['unit']}".strip()


def beside(row):
    if row["peer"] is None:
        return ""
    why = f": {row['mark']}" if row["mark"] and row["ours"] is not None else ""
    return f"{row['peer']}: " + (number(row["theirs"]) if row["theirs"] else f"none{why}")


def ratio(row):
    if row["ratio"] is None:
        return ""
    rounds = f" ({row['ratio_low']:.2f} to {row['ratio_high']:.2f})" if row["ratio_low"] is not None else ""
    return (f"{row['ratio']:.2f}" if row["ratio"] >= 0.01 else number(row["ratio"])) + rounds


def reached(row):
    """Whether the row reaches its target; None if there is no target. A row without a result has not reached it."""
    if row["least"] is None and row["most"] is None:
        return None
    if row["ratio"] is None:
        return False
    return (row["least"] is None or row["ratio"] >= row["least"]) and (row["most"] is None or row["ratio"] <= row["most"])


def bar(row):
    asked = f"at least {row['least']:g}" if row["least"] is not None else f"at most {row['most']:g}" if row["most"] is not None else ""
    return asked + ("" if reached(row) in (None, True) else ", missed")


def lines(rows):
    """A table, and below it what the notes say."""
    notes = list(dict.fromkeys(row["note"] for row in rows if row["note"]))
    table = list(HEAD)
    for row in rows:
        mark = f" ({notes.index(row['note']) + 1})" if row["note"] else ""
        cells = (row["measure"] + mark, ours(row), beside(row), ratio(row), bar(row))
        table.append("| " + " | ".join(cell.replace("|", "/").replace("\n", " ") for cell in cells) + " |")
    if notes:
        table += ["", *(f"({number}) {note}  " for number, note in enumerate(notes, 1))]
        table[-1] = table[-1].rstrip()
    return table


def about(report):
    """When, of what and where."""
    machine = report["machine"]
    kind = "A short run (`--quick`), rougher than a whole one: v" if report["quick"] else "V"
    return (f"{kind}ersion {report['version']}, {report['time'][:16].replace('T', ' ')} UTC, {report['seconds'] / 60:.0f} minutes; {machine['cores']} cores {machine['cpu']}, "
            f"kernel {machine['kernel']}, load average before {machine['load_average']:.1f}.")


def block(name, report):
    if name == RUN:
        return [about(report)]
    rows = [row for row in report["rows"] if row["part"] in name.split()]
    return lines(rows) if rows else ["Not measured in this run."]


def filled(text, report):
    """The document with the tables of this run."""
    names = {name for _, names, _ in BLOCK.findall(text) for name in names.split()}
    if missing := {row["part"] for row in report["rows"]} - names:
        raise ValueError(f"the document has no place for {', '.join(sorted(missing))}; add <!-- bench: NAME --> and <!-- end of bench --> lines")
    return BLOCK.sub(lambda found: found[1] + "\n".join(block(found[2], report)) + "\n" + found[3], text)


def write(document, report):
    file = pathlib.Path(document)
    file.write_text(filled(file.read_text(), report))
