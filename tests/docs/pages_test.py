"""The documents for people: links lead somewhere, drawings can be read in both themes, wall files parse, and troubleshooting names only what the programs have."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.dom.minidom

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("LW_BIN", ROOT / "build/release/bin"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
DRAWINGS = sorted((ROOT / "docs/images").glob("topology-*.svg"))
BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b(?::[A-Z]+\b)?|\b[NM]\b|\.\.\.|\b\d+\b")  # of a message: ADDRESS, N, or figures of an example


def prose(page):
    return BLOCK.sub("", page.read_text())


def anchors(page):
    headings = (re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#{1,6} (.+)$", prose(page), re.M))
    return {*headings, *re.findall(r'<a id="([^"]+)">', page.read_text())}


def links(page):
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)) if not re.match(r"https?:", link)]


def texts_of_programs(*folders):
    """Their string literals, those that continue each other in one piece, with a mark where a value is inserted."""
    texts = set()
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("*.cpp")):
            joined = re.sub(r'"\s*\n\s*"', "", file.read_text())
            texts.update(re.sub(r"\{[^{}]*\}", "\0", text.replace('\\"', '"')) for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', joined))
    return "\n".join(sorted(texts))


class Pages(unittest.TestCase):
    def test_links_lead_somewhere(self):
        wrong = []
        for page in PAGES:
            for link in links(page):
                path, _, anchor = link.partition("#")
                target = page.parent / path if path else page
                if not target.exists():
                    wrong.append(f"{page.name}: {link}")
                elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                    wrong.append(f"{page.name}: {link} has no such heading")
        self.assertEqual(wrong, [])

    def test_every_page_is_reached_from_the_readme(self):
        named = {(ROOT / link.partition("#")[0]).resolve() for link in links(ROOT / "README.md")}
        self.assertEqual([page.name for page in PAGES[1:] if page not in named], [])

    def test_the_first_screen(self):
        """A sentence, an image, two commands that exist, and what one gets, before the first heading."""
        first = (ROOT / "README.md").read_text().split("\n## ")[0].split("\n")
        image = next(i for i, line in enumerate(first) if line.startswith("!["))
        self.assertEqual(len([line for line in first[1:image] if line]), 1)
        commands = re.findall(r"^(scripts/\w+)", "\n".join(first), re.M)
        self.assertEqual(commands, ["scripts/demo", "scripts/test"])
        self.assertTrue(all(os.access(ROOT / command, os.X_OK) for command in commands))
        self.assertLessEqual(len(first), 30)

    def test_wall_files_on_pages_parse(self):
        for page in ("docs/wall-file.md", "docs/quick-start.md"):
            walls = [block for block in re.findall(r"^```toml\n(.*?)^```$", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE) if "[wall]" in block]
            self.assertEqual(len(walls), 1, page)
            with tempfile.TemporaryDirectory(prefix="lambdawall-test-") as folder:
                file = pathlib.Path(folder) / "wall.toml"
                file.write_text(walls[0])
                done = subprocess.run([BIN / "wall-server", "--wall", file, "--prometheus-targets", "-"], capture_output=True, text=True, timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, ""), page)

    def test_examples_are_listed(self):
        page = (ROOT / "docs/wall-file.md").read_text()
        self.assertEqual([file.name for file in sorted((ROOT / "walls").glob("*.toml")) if f"(../walls/{file.name})" not in page], [])

    def test_options_on_pages_exist(self):
        """In commands of the pages for beginners: each long option is one of the program's."""
        helps = {}
        for page in ("quick-start", "what-to-buy", "troubleshooting"):
            code = re.findall(r"^ {4}(.+)$|`([^`\n]+)`", (ROOT / f"docs/{page}.md").read_text(), re.M)
            for command in (indented or inline for indented, inline in code):
                words = command.split("#")[0].split("|")[0].split()
                while words and re.match(r"sudo$|\w+=", words[0]):
                    words.pop(0)
                if not words or not words[0].startswith("wall-"):
                    continue
                program = [words[0]] + ([words[1]] if words[0] == "wall-probe" and len(words) > 1 else [])
                if tuple(program) not in helps:
                    helps[tuple(program)] = subprocess.run([BIN / program[0], *program[1:], "--help"], capture_output=True, text=True, timeout=60).stdout
                for option in re.findall(r"(?<=\s)--[a-z-]+", command.split("#")[0]):
                    self.assertRegex(helps[tuple(program)], rf"(?m)(^|[\s,]){option}\b", f"{page}.md: {command}")
        self.assertGreaterEqual(len(helps), 5)


class Troubleshooting(unittest.TestCase):
    TEXT = (ROOT / "docs/troubleshooting.md").read_text()

    def test_figures_exist(self):
        known = "".join((ROOT / page).read_text() for page in ("docs/metrics.md", "docs/wall-file.md", "docs/operations.md")).replace("net.core.", "")
        named = set(re.findall(r"`([a-z]+(?:_[a-z0-9]+)+)`", self.TEXT))
        self.assertGreater(len(named), 25)
        self.assertEqual([name for name in sorted(named) if f"`{name}`" not in known], [])

    def test_events_exist(self):
        server = "".join(file.read_text() for file in sorted((ROOT / "server").rglob("*.cpp")))
        named = {event for line in re.findall(r"events? (`[^|]*?)(?:\||$|;| when| names)", self.TEXT) for event in re.findall(r"`([a-z]+(?:-[a-z]+)+)`", line)}
        self.assertGreater(len(named), 8)
        self.assertEqual([event for event in sorted(named) if f'"{event}"' not in server], [])

    def test_messages_are_those_of_the_programs(self):
        """Tables whose first column is `message`, and lines that a log has: each piece between what the program inserts is in its source."""
        programs = texts_of_programs("common", "server", "wall-client", "ingest", "probe")
        messages = re.findall(r"(?:the log|'s log|The log says which it is|says|The node's log says): `([^`]+)`", self.TEXT)
        for table in re.findall(r"^\| message.*\n\| ---.*\n((?:\|.*\n)+)", self.TEXT, re.M):
            messages += re.findall(r"^\| `([^`]+)`", table, re.M)
        self.assertGreater(len(messages), 20)
        for message in messages:
            for piece in PLACEHOLDER.split(message):
                piece = piece.strip(" :()")
                parts = [(piece,), *((piece[:gap.start()], piece[gap.end():]) for gap in re.finditer(" ", piece))]  # one literal, or two
                if len(piece) >= 8:
                    self.assertTrue(any(all(part in programs for part in both) for both in parts), f"{message}: no program says '{piece}'")


class Drawings(unittest.TestCase):
    def test_drawings_can_be_read(self):
        """Small, with text as text, a title for screen readers, no more than the guide's two themes, and on a page."""
        self.assertEqual(len(DRAWINGS), 3)
        pages = "".join(page.read_text() for page in PAGES)
        for file in DRAWINGS:
            with self.subTest(file.name):
                text = file.read_text()
                self.assertLess(len(text), 8192)
                root = xml.dom.minidom.parseString(text).documentElement
                self.assertEqual((root.getAttribute("role"), root.getElementsByTagName("title")[0].getAttribute("id")), ("img", root.getAttribute("aria-labelledby").split()[0]))
                self.assertGreater(len(root.getElementsByTagName("text")), 8)
                self.assertIn("@media (prefers-color-scheme: dark)", text)
                self.assertIn(f"images/{file.name}", pages)
                self.assertEqual(len(root.getElementsByTagName("image")) + len(root.getElementsByTagName("script")), 0)

    def test_colours_can_be_told_apart(self):
        """WCAG 2.1: text at least 7:1 on what it is drawn on, lines and edges at least 3:1, in both themes."""
        def luminance(colour):
            parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
            return sum(share * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4) for share, part in zip((0.2126, 0.7152, 0.0722), parts))

        def contrast(a, b):
            high, low = sorted((luminance(a), luminance(b)), reverse=True)
            return (high + 0.05) / (low + 0.05)

        for file in DRAWINGS:
            light, dark = re.search(r"<style>(.*?)</style>", file.read_text(), re.S).group(1).split("@media")
            colours = {}
            for style in (light, light + dark):  # the dark theme changes what it names
                for names, rules in re.findall(r"(\.[\w., ]+?) \{([^}]*)\}", style):
                    for name in re.findall(r"\w+", names):
                        colours.setdefault(name, {}).update(re.findall(r"(fill|stroke): (#\w{6})", rules))
                for ground in ("panel", "host", "program", "tile"):
                    self.assertGreaterEqual(contrast(colours["name"]["fill"], colours[ground]["fill"]), 7, file.name)
                    if ground != "program":  # which has names only
                        self.assertGreaterEqual(contrast(colours["note"]["fill"], colours[ground]["fill"]), 7, file.name)
                for line in ("flow", "control", "clock", "host", "program"):
                    self.assertGreaterEqual(contrast(colours[line]["stroke"], colours["panel"]["fill"]), 3, file.name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
