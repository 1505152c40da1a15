"""Words that are gone from this project's prose, and where prose is: documents, comments, and texts of programs."""
import io
import re
import tokenize

# What must not stand in prose: what to write instead.
GONE = {
    r"mend(s|ed|ing)?": "fix",
    r"(is|are|was|were|be) told|told (apart )?(of|in|by|to|as)|tells? (of|what|how|that|whether|why)": "report, state, send",
    r"(make|makes|made|making) good": "recover",
    r"(un)?seal(s|ed|ing)?": "encrypt",
    r"strangers?": "unknown source, another host",
    r"vouch(es|ed|ing)?": "guarantee",
    r"in step": "synchronized",
    r"held up|stands? still|stood still": "delayed, stalled",
    r"(give|gives|gave|given|giving) up": "drop, abandon, stop",
    r"(leave|leaves|left|leaving) out": "skip, drop",
    r"in trouble|troubles?": "incident, problem",
    r"pictures?": "frame, preview, image",
    r"whole (frames?|bands?)|(is|are|was|were|be|being|shown|came|comes|not) whole|whole or": "complete",
    r"doubled": "duplicated",
    r"(?<!there )is no (?!longer\b|more\b|less\b|later\b)\w+": "is not a",
    r"good for": "valid for",
    r", too(?=[.;:)]|$)": "also",
    # Clauses as subjects or objects, at the beginning of a sentence that is not a question.
    r"(?-i:Who|Whoever) (is|are|has|have|may|can|does|knows|wants|waits|asks|sends)\b(?!.*\?)": "name the actor",
    r"(?-i:What) (is|was|are|were|comes?|came|cannot|does not|remains)\b(?!.*\?)": "a noun instead of the clause",
    r"(is|are|was|were) said\b(?! to\b)": "reported, logged",
    r"what (becomes?|became) of": "what happens to",
    # Archaic or private words.
    r"of (one's|its|his|her|their) own(?=$|[.,;:)\"])": "its own, separate",
    r"anew": "again",
    r"as (it|they) (comes?|came|stands?|stood)": "unchanged",
    r"to be had": "available",
    r"may as well": "can",
    r"go(es)? on(?= (by|from|until|as)\b|[.,;:)]|$)": "continue",
    r"of (no )?use(?= (to|in|with|any)\b|[.,;:)]|$)": "needed, useful; no effect",
    r"believed": "trusted, assumed",
    r"let(s)? in(?= (by|with|only)\b|[.,;:)]|$)": "admit",
    r"where (there is|there are|nothing)": "if",
    r"(?<=[;,] )nothing(?=: )|nothing where": "empty, none",
}
_GONE = {re.compile(rf"(?:(?<![\w-])|(?=,))(?:{pattern})(?![\w-])", re.IGNORECASE): instead for pattern, instead in GONE.items()}


def gone_words(text):
    """(line, words, what to write instead) of each in a text whose code has been taken out."""
    for number, line in enumerate(text.split("\n"), 1):
        for pattern, instead in _GONE.items():
            for found in pattern.finditer(line):
                yield number, found.group(0), instead


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def prose_of_document(text):
    """Without code, links' targets and images: names of programs, files, fields and tests are identifiers."""
    for code in (r"```.*?```", r"^( {4,}|\t).*$", r"`[^`\n]*`", r"(?<=\])\([^)\n]*\)", r"<[^>\n]*>"):
        text = re.sub(code, lambda found: _blank(found.group(0)), text, flags=re.DOTALL | re.MULTILINE if code.startswith("```") else re.MULTILINE)
    return text


# A comment, a string (raw ones count as code), a character.
_CPP = re.compile(r'//(?P<comment>[^\n]*)|R"(?P<end>[^(\s]*)\((?:.|\n)*?\)(?P=end)"|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'')


def prose_of_cpp(text, groups=("comment", "text")):
    """Comments, and strings with a space: others are identifiers, keys and names of headers."""
    out = list(_blank(text))
    for found in _CPP.finditer(text):
        for group in groups:
            words = found.group(group)
            if words and (group == "comment" or " " in words):
                out[found.start(group):found.end(group)] = re.sub(r"`[^`\n]*`", lambda code: _blank(code.group(0)), words)
    return "".join(out)


def comments_of_cpp(text):
    """For programs whose texts are not held to the list."""
    return prose_of_cpp(text, ("comment",))


def prose_of_python(text):
    """The same of a script."""
    lines = [""] * (text.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or token.type == tokenize.STRING and " " in token.string:
            words = re.sub(r"`[^`\n]*`|\{[^{}\n]*\}|\[[^\[\]\n]*\]", "", token.string)
            for offset, line in enumerate(words.split("\n")):
                lines[token.start[0] - 1 + offset] += " " + line
    return "\n".join(lines)


# In files whose comments begin with #: a comment, or a string in single or double quotes. A # inside a word is not a comment ($#, ${name#prefix}).
_HASH = re.compile(r"(?<![^\s;])#(?P<comment>[^\n]*)|\"(?P<double>(?:[^\"\\\n]|\\.)*)\"|'(?P<single>[^'\n]*)'")
_HASH_CODE = re.compile(r"`[^`\n]*`|\{\{.*?\}\}|\$\{[^{}\n]*\}|\$\([^()\n]*\)|\$\w+")


def prose_of_settings(text):
    """Comments, and strings with a space, of TOML, YAML, CMake, shell scripts and unit files, less what a program puts there."""
    out = list(_blank(text))
    for found in _HASH.finditer(text):
        for group in ("comment", "double", "single"):
            words = found.group(group)
            if words and (group == "comment" or " " in words):
                out[found.start(group):found.end(group)] = _HASH_CODE.sub(lambda code: _blank(code.group(0)), words)
    return "".join(out)


def prose_of_json(text):
    """Titles and descriptions: dashboards and schemas have no other prose."""
    out = list(_blank(text))
    for found in re.finditer(r'"(?:title|description)": *"((?:[^"\\]|\\.)*)"', text):
        out[found.start(1):found.end(1)] = found.group(1)
    return "".join(out)


_READERS = {".md": prose_of_document, ".in": prose_of_document, ".json": prose_of_json}
_READERS |= dict.fromkeys((".h", ".cpp", ".c", ".glsl", ".frag", ".vert"), prose_of_cpp)
_READERS |= dict.fromkeys((".toml", ".yml", ".cmake", ".sh", ".conf", ".service", ".rules", ".desktop", ".supp", ".postinst", ".postrm", ".prerm"), prose_of_settings)


def reader_of(path, text):
    """What finds a file's prose, by its name, or for a script by its first line; None: it has none."""
    first = text.split("\n", 1)[0]
    if path.suffix == ".py" or first.startswith("#!") and "python" in first:
        return prose_of_python
    if path.name in (".clang-tidy", "CMakeLists.txt", "Containerfile") or first.startswith("#!"):
        return prose_of_settings
    return _READERS.get(path.suffix)
