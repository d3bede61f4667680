"""Claims about calls and imports."""

import re
from collections.abc import Sequence

from crscore_core.claims.symbolic.candidate import (
    Candidate,
    Scene,
    are,
    claim,
    implication,
    listed,
    quoted,
    spoken,
)
from crscore_core.claims.symbolic.difference import edits_between
from crscore_core.claims.symbolic.lexing import Call, tokenize
from crscore_core.claims.symbolic.pairing import Pair
from crscore_core.claims.symbolic.statement import Sort, Statement


def added_calls(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe new calls, or log statements, that stand together."""
    first = statements[0]
    if first.sort is Sort.LOG:
        messages = listed([quoted(s.detail) for s in statements], 3)
        return [claim(f"Log output {messages} is added{scene.place}", 76, first.line)]
    if len(statements) > 2:
        names = listed(list(dict.fromkeys(quoted(s.subject) for s in statements)))
        return [claim(f"Calls of {names} are added{scene.place}", 76, first.line)]
    return [
        claim(f"A call to {quoted(s.text.rstrip(';,'))} is added{scene.place}", 78, s.line)
        for s in statements
    ]


def removed_calls(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe calls, or log statements, that are gone."""
    first = statements[0]
    if first.sort is Sort.LOG:
        messages = listed([quoted(s.detail) for s in statements], 3)
        return [claim(f"Log output {messages} is removed{scene.place}", 74, first.line)]
    found = []
    shown = listed([quoted(s.text.rstrip(";,")) for s in statements], 3)
    noun = "call" if len(statements) == 1 else "calls"
    found.append(
        claim(f"The {noun} {shown} {are(statements)} removed{scene.place}", 78, first.line)
    )
    if all(c.short_name not in scene.called_now for c in first.calls[:1]):
        text = f"What relied on {spoken(first.subject)} may no longer work after the removal"
        found.append(implication(text, 50, first.line))
    return found


def call_changes(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say how the calls within a rewritten statement differ: name, arguments, new or gone.

    A call that the other side of the hunk makes elsewhere is neither new nor gone.
    """
    line = pair.new.line
    old_calls, new_calls = list(pair.old.calls), list(pair.new.calls)
    left = [c for c in old_calls if c not in new_calls]
    come = [c for c in new_calls if c not in old_calls]
    found: list[Candidate] = []
    for call in list(come):
        twin = next((c for c in left if c.name == call.name), None)
        if twin is not None:
            left.remove(twin)
            come.remove(call)
            found += _arguments(twin, call, line, scene)
    found = found[-3:]
    left, come = _outer(left), _outer(come)
    before, now = ({t.text for t in s.tokens} for s in (pair.old, pair.new))
    if any(c.short_name in scene.called_now | now for c in left) or any(
        c.short_name in scene.called_before | before for c in come
    ):
        return found
    if len(left) == len(come) == 1:
        found += _replaced_call(left[0], come[0], line, scene)
    elif come and not left:
        names = listed([quoted(c.name) for c in come], 4)
        found.append(claim(f"{names} {are(come)} called as well{scene.place}", 70, line))
    elif left and not come:
        names = listed([quoted(c.name) for c in left], 4)
        found.append(claim(f"{names} {are(left)} no longer called{scene.place}", 70, line))
    elif left and come:
        names = listed([quoted(c.name) for c in come], 4)
        gone = listed([quoted(c.name) for c in left], 4)
        found.append(claim(f"It calls {names} instead of {gone}{scene.place}", 72, line))
    return found


def _outer(calls: Sequence[Call]) -> list[Call]:
    return list({c.name: c for c in calls}.values())


def _replaced_call(old: Call, new: Call, line: int, scene: Scene) -> list[Candidate]:
    found = [
        claim(f"{quoted(new.name)} is called instead of {quoted(old.name)}{scene.place}", 80, line)
    ]
    if old.short_name == new.short_name:
        return found
    text = (
        f"The change from {spoken(old.short_name)} to {spoken(new.short_name)} may give another "
        "result"
    )
    return [*found, implication(text, 48, line)]


def _arguments(old: Call, new: Call, line: int, scene: Scene) -> list[Candidate]:
    name = quoted(new.name)
    gone = [a for a in old.arguments if a not in new.arguments]
    come = [a for a in new.arguments if a not in old.arguments]
    if come and not gone:
        noun = "argument" if len(come) == 1 else "arguments"
        given = listed([quoted(a) for a in come])
        return [
            claim(
                f"The additional {noun} {given} {are(come)} passed to {name}{scene.place}", 84, line
            ),
            implication(
                f"The extra argument can change what {spoken(new.short_name)} returns or does",
                52,
                line,
            ),
        ]
    if gone and not come:
        noun = "argument" if len(gone) == 1 else "arguments"
        dropped = listed([quoted(a) for a in gone])
        return [
            claim(
                f"The {noun} {dropped} {are(gone)} no longer passed to {name}{scene.place}",
                84,
                line,
            ),
            implication(
                f"{spoken(new.short_name)} has to work without the argument",
                52,
                line,
            ),
        ]
    found = []
    for before, after in list(zip(gone, come, strict=False))[:2]:
        found.append(_changed_argument(before, after, name, line, scene))
    if not found and old.arguments != new.arguments:
        found.append(claim(f"The order of the arguments of {name} changes", 72, line))
    return found


def _changed_argument(before: str, after: str, name: str, line: int, scene: Scene) -> Candidate:
    if len(before) > 60 or len(after) > 60:
        olds, news = tokenize(before, scene.language), tokenize(after, scene.language)
        edits = edits_between(olds, before, news, after)
        if len(edits) == 1 and edits[0].old and edits[0].new:
            before, after = edits[0].old, edits[0].new
    return claim(
        f"The argument passed to {name}{scene.place} changes from {quoted(before)} to "
        f"{quoted(after)}",
        82,
        line,
    )


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
