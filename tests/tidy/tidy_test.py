"""The tree's own rules: who may include whom, which library is used where, no left-over marks, a test for each source."""
import pathlib
import re
import subprocess
import sys
import unittest

import language

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/simulate"))
from mutation_table import MUTATIONS  # noqa: E402
INCLUDE = re.compile(r'^\s*#include\s+[<"]([^>"]+)[>"]', re.M)

# The folders at the top, and which of the others each may use.
FOLDERS = {
    "common": [],
    "samples": ["common"],
    "ingest": ["common"],
    "server": ["common"],
    "wall-client": ["common"],
    "relay": ["common"],
    "wall-control": ["common"],
    "probe": ["common", "server", "wall-client"],
    "bench": ["common", "server", "wall-client", "probe"],
}
# Lower layers first: a folder of common may use itself and those before it.
COMMON_LAYERS = ["base", "command_line", "pixel", "concurrency", "clock", "memory", "fec", "net", "wire", "srtp", "wall", "store", "metrics", "messages", "host", "plan", "access", "web"]
# Inside the others: a folder may use itself and those named; what lies beside the folders (main.cpp, command.h) is everybody's.
ROOMS = {
    "common": {layer: COMMON_LAYERS[:place] for place, layer in enumerate(COMMON_LAYERS)},
    "samples": {},
    "ingest": {},
    "relay": {},
    "server": {"read": [], "send": ["read"], "sync": ["send"], "play": ["read", "send", "sync"], "control": ["play"]},
    "wall-client": {"assemble": [], "receive": ["assemble"],
                    "display/cards": ["assemble"], "display/capture": [], "display/output": ["display/capture"],
                    "display": ["assemble", "display/cards", "display/capture", "display/output"],
                    "display/gl": ["assemble", "display", "display/cards", "display/capture", "display/output"],
                    "playout": ["assemble"], "decode": ["assemble"],
                    "present": ["assemble", "receive", "decode", "display", "display/cards", "display/capture", "playout"],
                    "sound": [], "control": ["display/capture"]},
    "wall-control": {"messages": [], "link": ["messages"], "ui": ["link"], "models": ["messages", "ui"], "plots": ["models", "ui"], "events": ["messages", "plots", "ui"],
                     "alarms": ["events", "models", "plots", "ui"], "health": ["events", "models", "plots", "ui"], "connections": ["link", "messages", "ui"],
                     "library": ["link", "messages", "models", "ui"], "machines": ["link", "messages", "models", "ui"], "network": ["models", "plots", "ui"],
                     "playlist": ["link", "models", "ui"], "present": ["link", "messages", "models", "ui", "wallview"], "report": ["events", "models", "plots", "ui"],
                     "sessions": ["link", "messages", "models", "ui"], "sites": ["models", "ui"], "start": ["connections", "link", "ui"],
                     "transport": ["link", "models", "ui"], "wallview": ["link", "messages", "models", "ui"],
                     "app": ["alarms", "connections", "events", "health", "library", "link", "machines", "messages", "models", "network", "playlist", "plots", "present", "report", "sessions", "sites", "start",
                             "transport", "ui", "wallview"]},
    "probe": {"call": [], "results": [], "impair": [], "hash": [], "mpcdi": [], "loads": [], "trace": ["call", "loads"], "doctor": ["call"], "report": ["results"], "compare": ["results"],
              "analyze": ["loads"], "measure": ["call", "loads", "results", "trace"], "stamp": ["loads", "results"],
              "capacity": ["call", "measure", "results"], "serve": ["call", "capacity", "doctor", "loads", "measure", "stamp"],
              "run": ["call", "loads", "measure", "trace"], "sweep": ["call", "impair", "loads", "measure", "results"]},
    "bench": {},
}
# Third-party headers, and the only places that may use them.
CONFINED = {
    r"^boost/(asio|beast)": ["common/web", "common/access/peer_address.cpp", "common/base/base64.cpp", "server/control", "server/main.cpp", "wall-client/control", "wall-client/main.cpp", "probe/serve", "tests"],
    r"^boost/math": ["probe/results", "probe/compare"],
    r"^toml\+\+": ["common/wall", "probe/impair", "probe/sweep"],
    r"^lib(av|sw)": ["ingest", "tests/unit/ingest"],
    r"^libplacebo/": ["ingest/colour_map.cpp"],
    r"^zstd": ["common/pixel/lossless_band.cpp"],
    r"^liburing": ["server/read", "common/host"],
    r"^libxml/": ["probe/mpcdi/xml_tree.cpp"],
    r"^minizip/": ["probe/mpcdi/zip_archive.cpp", "tests/unit/probe/mpcdi"],
    r"^udt/": ["probe/loads/udt_socket.cpp"],
    r"^(GLFW|epoxy)": ["wall-client/display/gl", "bench", "tests/unit/wall-client"],
    r"^hwloc": ["common/host"],
    r"^lcms2": ["wall-client/display/output/display_profile.cpp", "tests/unit/wall-client/display"],
    r"^png\.h": ["wall-client/display/capture", "wall-client/display/output/grey_map.cpp", "tests/unit/wall-client/display", "tests/compat", "probe/mpcdi/region_files.cpp", "tests/unit/probe/mpcdi"],
    r"^srtp2/": ["tests/unit/common/srtp"],
    r"^systemd/": ["server/control/announcer.cpp", "server/control/announcer.h"],
    r"^qrencode": ["wall-control/connections/qr_code.cpp"],
    r"^isa-l": ["common/fec", "bench"],
    r"^CLI/": ["common/command_line", "tests/unit/common/command_line", "server/main.cpp", "wall-client/main.cpp", "relay/main.cpp", "ingest", "samples/main.cpp", "bench", "probe", "wall-control", "tests/truth/truth_test.cpp", "tests/simulate/main.cpp"],
    r"^Q[A-Z]": ["wall-control", "tests/gui", "tests/fuzz/session_fuzz.cpp"],
}
# The texts of the windows, and of the tests that look for them, change together; the comments are held to the list.
COMMENTS_ONLY = ["tests/gui", "wall-control"]
# The list itself and its test; inputs, some of them of earlier builds, which stay as they are.
NO_PROSE = ("tests/tidy/", "tests/compat/walls/", "tests/fuzz/corpus/", "LICENSE")


# Of wall-control, for terminals: these stay English.
TERMINAL = {"wall-control/main.cpp", "wall-control/app/call.cpp", "wall-control/link/access.cpp", "wall-control/sessions/record_once.cpp"}
TEXT = r'"(?:[^"\\\n]|\\.)*"'
# Calls that show their first argument.
SHOWN = (r"\b(?:set(?:Text|ToolTip|WindowTitle|Title|PlaceholderText|AccessibleName|AccessibleDescription|StatusTip|Prefix|Suffix|_text|_note)|addAction|addItem|addTab|addRow|addMenu|"
         rf"new Q(?:Label|PushButton|CheckBox|RadioButton|ToolButton|GroupBox|Action|Menu)|fromUtf8)\(\s*({TEXT})")
# Not words to read: styles, HTML, requests, and names in other programs' messages.
NO_WORDS = re.compile(r"[{}<>=;]|\\r\\n|:\d+$|^(plain text|not joined|lw-)$")


def untranslated(code):
    """Texts of a window that are not in tr(), translate() or QT_TRANSLATE_NOOP()."""
    code = re.sub(r"(?m)^\s*#.*$|(?:^|(?<=\s))//.*$|\bthrow\s+" + TEXT, "", code)
    code = re.sub(rf'R"\w*\(.*?\)\w*"', "", code, flags=re.S)
    code = re.sub(rf"\b(?:tr|translate|QT_TR_NOOP|QT_TRANSLATE_NOOP)\((?:\s*{TEXT}\s*,)?(?:\s*{TEXT})+", "", code)
    code = re.sub(r"\\u[0-9a-f]{4}", "", code)
    shown = [words for words in re.findall(SHOWN, code) if re.search(r"[A-Za-z]{2}", words)]
    phrases = [words for words in re.findall(TEXT, code) if re.search(r"[a-z]{2,}[,:;]? [a-z]{2,}", words)]
    return [words[1:-1] for words in dict.fromkeys(shown + phrases) if not NO_WORDS.search(words[1:-1])]


def listed(*patterns):
    paths = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return [path for path in paths if (ROOT / path).exists()]


def sources():
    return [(path, (ROOT / path).read_text()) for path in listed("*.h", "*.cpp")]


class Tidy(unittest.TestCase):
    def test_includes_point_one_way(self):
        wrong = []
        for path, text in sources():
            top, *folders, _ = path.split("/")
            if top not in FOLDERS:
                continue
            here = "/".join(folders)
            if here and here not in ROOMS[top]:
                wrong.append(f"{path} lies in a folder that has no rule")
                continue
            for include in INCLUDE.findall(text):
                target, *inner = include.split("/")
                if target not in FOLDERS or not inner:
                    continue
                there = "/".join(inner[:-1])
                allowed = target in FOLDERS[top] if target != top else not here or there in ("", here) or there in ROOMS[top][here]
                if not allowed:
                    wrong.append(f"{path} includes {include}")
        self.assertEqual(wrong, [])

    def test_tests_share_by_support_only(self):
        """A test uses what lies beside it or above it, or in tests/support: never what belongs to another test."""
        wrong = []
        for path, text in sources():
            top, *folders, _ = path.split("/")
            if top != "tests":
                continue
            for include in INCLUDE.findall(text):
                target, *inner = include.split("/")
                if target == "tests" and inner[:-1] != folders[:len(inner) - 1] and inner[0] != "support":
                    wrong.append(f"{path} includes {include}")
        for path in listed("*.py"):
            wrong += [f"{path} imports {module}" for module in re.findall(r"^\s*(?:from|import) (\w+_test)\b", (ROOT / path).read_text(), re.M)]
        self.assertEqual(wrong, [])

    def test_libraries_stay_where_they_belong(self):
        wrong = []
        for path, text in sources():
            for include in INCLUDE.findall(text):
                for pattern, places in CONFINED.items():
                    if re.match(pattern, include) and not any(path == place or path.startswith(place + "/") for place in places):
                        wrong.append(f"{path} includes {include}")
        self.assertEqual(wrong, [])

    def test_headers_have_a_purpose(self):
        wrong = [path for path, text in sources() if path.endswith(".h") and not path.startswith("tests/") and not text.startswith("//")]
        self.assertEqual(wrong, [], "a header begins with what it is for")

    def test_no_left_over_marks(self):
        marks = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
        self.assertEqual([path for path, text in sources() if marks.search(text)], [])

    def test_banned_calls(self):
        banned = {r"\bstrerror_r\b": "std::strerror in control code", r"\bsprintf\(": "fmt::format", r"\brand\(\)": "<random>", r"\bsystem\(": "no shell-outs",
                  r"\busleep\(": "std::this_thread::sleep_for", r"\bvolatile\b": "std::atomic", r"\.detach\(\)": "a joined std::jthread"}
        wrong = []
        for path, text in sources():
            code = re.sub(r"//.*", "", text)
            wrong += [f"{path}: {pattern}; use {instead}" for pattern, instead in banned.items() if re.search(pattern, code)]
        self.assertEqual(wrong, [])

    def test_texts_leave_the_programs_where_they_are_made_printable(self):
        """Each exit for texts, and who may use what lies under it: elsewhere a text from outside could reach a terminal, a log or a page as it came."""
        exits = {r"\b(std::)?(v?f?printf|fputs|puts|fwrite|putchar)\(|fmt::print\(|std::(cout|cerr|clog)\b": (
                     "common/base/print.h: print_out, print_error, print_to",
                     # A process that dies or has no memory left; files of figures and pictures, and gnuplot's input.
                     {"common/base/print.h", "common/base/result.cpp", "common/base/guarded.h", "probe/report/gnuplot.cpp", "probe/measure/result_files.cpp", "probe/loads/packet_records.cpp", "probe/loads/udp_load.cpp", "probe/trace/trace_file.cpp",
                      "wall-client/display/capture/dump.cpp"}),
                 r"spdlog::(stderr|stdout|basic|rotating)|set_formatter|set_pattern\(|custom_flag_formatter": ("common/base/log.h: start_logging", {"common/base/log.cpp"}),
                 r"setTextFormat\(Qt::(AutoText|MarkdownText)|Qt::convertFromPlainText|QTextBrowser|QTextEdit": ("plain text (wall-control/ui/plain_text.h), or RichText and toHtmlEscaped", {"wall-control/ui/plain_text.cpp"})}
        wrong = []
        for path, text in sources():
            if str(path).split("/")[0] in ("tests", "bench"):
                continue
            code = re.sub(r"//.*", "", text)
            wrong += [f"{path}: {found.group(0)}; use {instead}" for pattern, (instead, allowed) in exits.items() for found in re.finditer(pattern, code) if str(path) not in allowed]
        self.assertEqual(wrong, [])

    def test_texts_of_the_window_can_be_translated(self):
        wrong = []
        for path, text in sources():
            if path.startswith("wall-control/") and path not in TERMINAL:
                wrong += [f"{path}: {words}; use tr()" for words in untranslated(text)]
        self.assertEqual(wrong, [])

    def test_texts_that_are_not_translated_are_found(self):
        code = 'label->setText("Lost"); add_button(QString::fromUtf8("Open\\u2026")); button = new QPushButton("Try again"); add(tr("Lost"), QT_TRANSLATE_NOOP("Lost", "all is lost"));\nreturn "it is lost";  // and "this is not"'
        self.assertEqual(untranslated(code), ["Lost", "Open", "Try again", "it is lost"])
        self.assertEqual(untranslated('x->setText("%1"); setObjectName("Lost"); css("color: red; border: 1px solid"); tr("one "\n  "of two"); throw "it is wrong";'), [])

    def test_names_of_tests_can_be_printed(self):
        """Catch 2 indents a name's second line to its first colon; where no room is left there, a test that fails prints without end."""
        wrong = [f"{path}: {name}" for path, text in sources() for name in re.findall(r'TEST_CASE\("((?:[^"\\]|\\.)*)"', text) if name.find(": ") > 60]
        self.assertEqual(wrong, [], "the first colon of a test's name comes early")

    def test_files_stay_small(self):
        self.assertEqual([path for path, text in sources() if text.count("\n") > 600], [])

    def test_prose_has_none_of_the_words_that_are_gone(self):
        """Plain English: each of these has a plainer word. Identifiers stay: write them as code, in backticks."""
        wrong = []
        for path in listed():
            if path.startswith(NO_PROSE):
                continue
            try:
                text = (ROOT / path).read_text()
            except UnicodeDecodeError:
                continue  # an image
            reader = language.reader_of(pathlib.Path(path), text)
            if reader == language.prose_of_cpp and path.startswith(tuple(COMMENTS_ONLY)):
                reader = language.comments_of_cpp
            if reader:
                wrong += [f"{path}:{line}: '{words}'; write: {instead}" for line, words, instead in language.gone_words(reader(text))]
        self.assertEqual(wrong, [])

    def test_words_that_are_gone_are_found_in_prose_only(self):
        document = "The mend is told.\n`mend`, [text](stranger.md)\n\n    seal it\n\n```\na whole frame\n```\nA picture of a whole number, too."
        self.assertEqual([(line, words) for line, words, _ in language.gone_words(language.prose_of_document(document))],
                         [(1, "mend"), (1, "is told"), (9, "picture"), (9, ", too")])
        code = 'Error{"a frame is left out", mend};  // sealed, as `strangers` are\ncall("picture"); auto whole = \'"\'; R"(a seal)"; // doubled'
        self.assertEqual([(line, words) for line, words, _ in language.gone_words(language.prose_of_cpp(code))],
                         [(1, "sealed"), (1, "left out"), (2, "doubled")])
        self.assertEqual([(line, words) for line, words, _ in language.gone_words(language.comments_of_cpp(code))], [(1, "sealed"), (2, "doubled")])
        script = 'picture = 1  # given up\nprint("a picture", "whole", f"of {whole} frames")\n'
        self.assertEqual([(line, words) for line, words, _ in language.gone_words(language.prose_of_python(script))],
                         [(1, "given up"), (2, "picture")])

        settings = 'title = "no picture"  # given up\nmend = 1\ntold "$# of a ${whole#whole} frame" \'it is whole\' key=a#seal\nexpr: whole or 1'
        self.assertEqual([(line, words) for line, words, _ in language.gone_words(language.prose_of_settings(settings))],
                         [(1, "given up"), (1, "picture"), (3, "is whole")])
        dashboard = '{"title": "Doubled", "expr": "a picture",\n "description": "Frames \\"left out\\""}'
        self.assertEqual([(line, words) for line, words, _ in language.gone_words(language.prose_of_json(dashboard))], [(1, "Doubled"), (2, "left out")])

    def test_scripts_are_read_by_their_first_line(self):
        for name, first, reader in (("scripts/demo", "#!/usr/bin/env bash", language.prose_of_settings), ("run", "#!/usr/bin/python3", language.prose_of_python),
                                    ("CMakeLists.txt", "", language.prose_of_settings), ("tile.npy", "", None)):
            self.assertEqual(language.reader_of(pathlib.Path(name), first), reader, name)

    def test_clauses_as_subjects_and_archaic_words_are_found(self):
        gone = ["Who is slow is sent less.", "What is missing is counted.", "A clock of its own.", "It begins anew.", "The clock goes on.", "nobody is let in", "It is said once.",
                "as it came", "Pages where there are some", "of no use", "Its time, or, nothing: at once"]
        for text in gone:
            self.assertEqual(len(list(language.gone_words(text))), 1, text)
        kept = ["What is sent where?", "Who is admitted?", "Its own clock.", "The bytes of its own record.", "There is no frame.", "It is said to be fast.", "It goes on to the next.", "A picture-free wall",
                "What each CPU did", "the system of one's own making"]
        self.assertEqual([(text, list(language.gone_words(text))) for text in kept if list(language.gone_words(text))], [])

    def test_every_mutation_can_be_applied(self):
        """A defect of tests/simulate/mutations.py whose text is no longer in the code would never be sought again."""
        wrong = []
        for mutation in MUTATIONS:
            file = ROOT / mutation.file
            count = file.read_text().count(mutation.old) if file.exists() else 0
            if count != 1 or mutation.new == mutation.old:
                wrong.append(f"{mutation.name}: its text is {count} times in {mutation.file}")
        self.assertEqual(wrong, [])
        names = [mutation.name for mutation in MUTATIONS]
        self.assertEqual(len(set(names)), len(names))

    def test_every_document_named_in_the_readme_exists(self):
        for document in ("README.md", "CONTRIBUTING.md"):
            for link in re.findall(r"\]\(([^)#:]+)\)", (ROOT / document).read_text()):
                self.assertTrue((ROOT / link).exists(), f"{document} links to {link}")

    def test_every_experiment_of_the_papers_has_its_section(self):
        """Each row has a line in the table that leads to its section, each section a paper and what is here; what they name exists."""
        text = (ROOT / "docs/experiments.md").read_text()
        rows = [f"P{paper}.{row}" for paper, count in enumerate((6, 8, 7, 9, 5), 1) for row in range(1, count + 1)]
        sections = dict(re.findall(r"^### (P\d\.\d+ [^\n]+)\n(.*?)(?=^##|\Z)", text, re.M | re.S))
        self.assertEqual([heading.split()[0] for heading in sections], rows)
        anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"): heading for heading in sections}
        self.assertEqual([(row, anchors.get(anchor, "").split(" ")[0]) for row, anchor in re.findall(r"^\| \[(P[\d.]+)\]\(#([^)]+)\)", text, re.M)], [(row, row) for row in rows])
        self.assertEqual([anchor for anchor in re.findall(r"\]\(#([^)]+)\)", text) if anchor not in anchors], [])
        self.assertEqual([heading for heading, body in sections.items() if "**Paper.**" not in body or "**Here.**" not in body], [])
        named = set(re.findall(r"`([\w-]+\.toml)`", text))
        self.assertEqual([name for name in sorted(named) if not (ROOT / "experiments" / name).exists()], [])
        self.assertEqual([image for image in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text) if not (ROOT / "docs" / image).exists()], [])
        for file in sorted((ROOT / "experiments").glob("*.toml")):
            for row in re.findall(r"P\d\.\d", re.search(r"^rows = (.*)$", file.read_text(), re.M).group(1)):
                self.assertTrue(any(heading.startswith(row + " ") and file.name in body for heading, body in sections.items()) or f"`{file.name}`" in re.search(rf"^\| \[{row}\].*$", text, re.M).group(0), f"{file.name} is not in the section of {row}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
