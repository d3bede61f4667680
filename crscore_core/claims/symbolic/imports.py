"""Imports, includes and requires."""

import re
from collections.abc import Sequence

from crscore_core.claims.symbolic.candidate import Candidate, Scene, claim
from crscore_core.claims.symbolic.pairing import Pair
from crscore_core.claims.symbolic.quoting import are, listed, quoted
from crscore_core.claims.symbolic.statement import Statement

__all__ = ["added_imports", "removed_imports", "rewritten_import"]

_WORD = re.compile(r"[^\W\d][\w.$]*")
_SYNTAX = frozenset(
    "import from as static type const require let var use using include namespace require_once "
    "include_once require_relative package".split()
)


def added_imports(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe imports that stand together as one claim."""
    others = [(s, told) for s in statements if (told := _other_use(s))]
    if others:
        found = [claim(f"{told}{scene.place}", 74, s.line) for s, told in others]
        rest = [s for s in statements if not _other_use(s)]
        return found + (added_imports(rest, scene) if rest else [])
    if len(statements) == 1:
        text = f"A new import of {_shown(statements[0])} is added{scene.place}"
    else:
        text = f"New imports are added for {listed([_shown(s) for s in statements])}"
    return [claim(text, 72, statements[0].line)]


def removed_imports(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe imports that are gone as one claim."""
    if any(_other_use(s) for s in statements):
        shown = listed([quoted(s.text.rstrip("; ")) for s in statements])
        return [claim(f"{shown} {are(statements)} removed{scene.place}", 72, statements[0].line)]
    names = listed([_shown(s) for s in statements])
    noun = "import" if len(statements) == 1 else "imports"
    text = f"The {noun} of {names} {are(statements)} removed{scene.place}"
    return [claim(text, 72, statements[0].line)]


def rewritten_import(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say what an import brings in that it did not before."""
    old, new, line = pair.old, pair.new, pair.new.line
    if _other_use(old) or _other_use(new):
        return []
    renamed = _aliased(old, new)
    if renamed:
        return [claim(renamed + scene.place, 76, line)]
    before, after = _names(old), _names(new)
    gained = [n for n in after if n not in before and n != new.subject]
    lost = [n for n in before if n not in after and n != old.subject]
    if old.subject != new.subject:
        source = f"The import of {_shown(old)} is replaced by {_shown(new)}{scene.place}"
        return [claim(source, 78, line)]
    module = quoted(new.subject)
    found: list[Candidate] = []
    if gained:
        names = listed([quoted(n) for n in gained])
        found.append(claim(f"{names} {are(gained)} imported from {module} as well", 76, line))
    if lost:
        names = listed([quoted(n) for n in lost])
        found.append(claim(f"{names} {are(lost)} no longer imported from {module}", 76, line))
    if not found:
        found.append(claim(f"The import of {module} is written differently", 50, line))
    return found


_OTHER_USE = re.compile(r"^using\s+(?:([\w<>.,?\[\]]+)\s+)?(\w+)\s*=\s*(.+?)[;\s]*$")


def _other_use(statement: Statement) -> str:
    """Say what `using` does that imports nothing: it holds a resource or names a type."""
    match = _OTHER_USE.match(statement.text)
    if match is None:
        return ""
    kind, name, value = match.groups()
    if kind:
        return f"A new variable {quoted(name)} holds {quoted(value)} until its block ends"
    return f"The name {quoted(name)} now stands for {quoted(value)}"


_ALIAS = re.compile(r"(?<![\w.])([\w.*]+)\s+as\s+(\w+)")


def _aliased(old: Statement, new: Statement) -> str:
    """Say under which name something is imported now, where only that changes."""
    if _ALIAS.sub(r"\1", old.text) != _ALIAS.sub(r"\1", new.text):
        return ""
    before, after = dict(_ALIAS.findall(old.text)), dict(_ALIAS.findall(new.text))
    said = []
    for name in dict.fromkeys([*after, *before]):
        if name not in after:
            said.append(
                f"{quoted(name)} is imported under its own name, not as "
                f"{quoted(before[name])} any more"
            )
        elif before.get(name) != after[name]:
            said.append(f"{quoted(name)} is now imported under the name {quoted(after[name])}")
    return listed(said, 3)


def _shown(statement: Statement) -> str:
    names = [n for n in _names(statement) if n not in statement.subject]
    if not names or statement.text.startswith(("#", "package", "using")):
        return quoted(statement.subject)
    return f"{listed([quoted(n) for n in names])} from {quoted(statement.subject)}"


def _names(statement: Statement) -> list[str]:
    text = statement.text.replace(f"'{statement.subject}'", " ")
    text = text.replace(f'"{statement.subject}"', " ")
    if text.startswith("from "):
        text = text.split(" import ", 1)[-1]
    return [w for w in dict.fromkeys(_WORD.findall(text)) if w not in _SYNTAX]
