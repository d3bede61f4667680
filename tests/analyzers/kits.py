"""The tools that run in a child process, with the data that their shared tests need."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from analyzers.javascript.configurations import ORIGINAL
from analyzers.process import Limits
from analyzers.python.reading import PYTHON
from analyzers.syntax.reading import READERS

from analyzers import AnalyzerResult, SourceFile
from analyzers.java.pmd import PMD
from analyzers.javascript.jshint import JSHint
from analyzers.linter import Linter
from analyzers.lizard import Lizard
from analyzers.python.ruff import Ruff
from analyzers.tool import Tool
from tests.analyzers.sources import whole
from tests.cases import cases


@dataclass(frozen=True)
class Kit:
    """`smelly` has the smells `found`, (rule, line) each.

    `make` takes a command and limits. `said_name` is the name in reasons. `program` is Python
    code that sets `names`, the files to read, and `report`, which prints that all given files are
    clean. `names_files` is True if a report also names clean files. `odd` is code that tries to
    fake a sentence, and `odd_rules` are the rules found in it.
    """

    make: Callable[[tuple[str, ...] | None, Limits], Tool]
    language: str
    said_name: str
    smelly: str
    found: list[tuple[str, int]]
    program: str
    names_files: bool
    odd: str
    odd_rules: frozenset[str]

    def linter(self, tool: Tool) -> Linter:
        """Create an analyzer from `tool`."""
        return Linter(tool, PYTHON if self.language == "python" else READERS[self.language])

    def installed(self) -> Tool:
        """Create the installed tool."""
        return self.make(None, Limits(seconds=120, memory_bytes=None))

    def fake(self, folder: Path, code: str, limits: Limits) -> Tool:
        """Create the tool with `code`, after `program`, in place of the installed one."""
        path = folder / "fake.py"
        path.write_text(f"import json, os, sys\n{self.program}\n{code}")
        return self.make((sys.executable, "-I", str(path)), limits)

    def file(self, text: str, path: str | None = "x") -> SourceFile:
        """Return a whole file in the tool's language."""
        return whole(text, path=path, language=self.language)


def at(result: AnalyzerResult) -> list[tuple[str, int]]:
    """Rule and line of each smell."""
    return [(smell.rule, smell.line) for smell in result.smells]


_PROGRAMS = {name: code for name, code, _ in cases(Path(__file__).with_name("fake_tools.txt"))}
_LONG = "x" * 500
_ODD_JAVASCRIPT = (
    f"import a from 'b';\n{_LONG} == `\u202e`;\nsize = {{ '`\t\u2028{_LONG}': 1, "
    f"'`\t\u2028{_LONG}': 2 }};\nif (typeof a == '`\\n') {{ }}\n\u0430\u0430();\n"
)
_ODD_JAVA = (
    f"package a;\nclass A {{\n    private int si\0ze{_LONG};\n"
    '    boolean b = "\u202e`\\t".equals(null);\n}\n'
)

KITS = {
    "ruff": Kit(
        Ruff,
        "python",
        "ruff",
        "x = y == None\n",
        [("F821", 1), ("E711", 1)],
        _PROGRAMS["ruff"],
        names_files=False,
        odd=f"x = (\n    y\x0c + '`\t\udcff{_LONG}') == None == \\\n None\nx.strip('a`a')\n",
        odd_rules=frozenset({"E711", "B005"}),
    ),
    "pmd": Kit(
        lambda command, limits: PMD(command=command, limits=limits),
        "java",
        "pmd",
        "class Cache {\n    private int size;\n}\n",
        [("NoPackage", 1), ("UnusedPrivateField", 2)],
        _PROGRAMS["pmd"],
        names_files=True,
        odd=_ODD_JAVA,
        odd_rules=frozenset({"UnusedPrivateField", "EqualsNull"}),
    ),
    "jshint": Kit(
        lambda command, limits: JSHint(command=command, limits=limits),
        "javascript",
        "JSHint",
        "open(size == 3);\nif (true) { debugger; }\n",
        [("W116", 1), ("W087", 2)],
        _PROGRAMS["jshint"],
        names_files=True,
        odd=_ODD_JAVASCRIPT,
        odd_rules=frozenset({"W116", "W075", "W117", "W035"}),
    ),
    "jshint, original": Kit(
        lambda command, limits: JSHint(ORIGINAL, command, limits),
        "javascript",
        "JSHint",
        "open()\nif (true) { debugger; }\n",
        [("W033", 1), ("W087", 2)],
        _PROGRAMS["jshint"],
        names_files=True,
        odd=_ODD_JAVASCRIPT,
        odd_rules=frozenset({"W075", "W119"}),
    ),
    "lizard": Kit(
        lambda command, limits: Lizard("c", command, limits),
        "c",
        "lizard",
        "int work(int a, int b, int c, int d, int e, int f, int g) {\n}\n",
        [("long-parameter-list", 1)],
        _PROGRAMS["lizard"],
        names_files=True,
        odd=f"int work{_LONG}(int a, int b, int c, int d, int e, int f, int g) {{\n}}\n",
        odd_rules=frozenset({"long-parameter-list"}),
    ),
}
