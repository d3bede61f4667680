"""Cases in text files: a name, a text, and the expected result.

    == name
    text
    =>
    what is expected, on any number of lines

Text is escaped as in Python strings: `\\x00` is a character, `\\\\` is a backslash, and a backslash
at the end of a line joins it to the next line.
"""

import ast
import re
from pathlib import Path

_CASE = re.compile(r"^== (.+)\n((?:.*\n)*?)=>\n((?:(?!== ).*\n)*)", re.MULTILINE)
_ESCAPE = re.compile(r"\\(?:x..|u....|U.{8}|.)", re.DOTALL)


def cases(path: Path) -> list[tuple[str, str, str]]:
    """Read the name, text and expected result of each case; lines above the first are a comment."""
    content = path.read_text(encoding="utf-8")
    content = content[content.index("== ") :]
    found = [*_CASE.finditer(content)]
    if "".join(case[0] for case in found) != content:
        raise ValueError(f"{path} has text outside its cases")
    return [(case[1], _ESCAPE.sub(_unescaped, case[2]), case[3].rstrip("\n")) for case in found]


def _unescaped(escape: re.Match[str]) -> str:
    return str(ast.literal_eval(f'"""{escape[0]}"""'))
