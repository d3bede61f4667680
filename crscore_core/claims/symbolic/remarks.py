"""Comments, docstrings, TODOs, decorators and annotations."""

import re
from collections.abc import Sequence

from crscore_core.claims.symbolic.candidate import Candidate, Scene, claim, implication
from crscore_core.claims.symbolic.difference import text_edits
from crscore_core.claims.symbolic.notation import PROSE
from crscore_core.claims.symbolic.pairing import Pair
from crscore_core.claims.symbolic.quoting import listed, quoted
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["added_remarks", "removed_remarks", "rewritten_remark"]

_TASK = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b[:\s]*", re.IGNORECASE)
_LICENCE = re.compile(r"copyright|licen[sc]e", re.IGNORECASE)
_SUPPRESSION = re.compile(r"\b(noqa|eslint-disable|nolint|type: ignore|pylint: ?disable|NOSONAR)\b")
MAX_PROSE = 160
"""Characters of a comment that are quoted."""


def added_remarks(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe comment lines, or decorators, that stand together as one claim."""
    first = statements[0]
    if first.sort is Sort.DECORATOR:
        names = listed([quoted(s.detail) for s in statements])
        return [claim(f"The annotation {names} is added{scene.place}", 74, first.line)]
    prose = _prose(statements)
    if not prose:
        return []
    task = None if scene.language in PROSE else _TASK.search(prose)
    if task:
        what = _TASK.sub("", prose, count=1)
        return [
            claim(
                f"A {task.group(1).upper()} comment is added{scene.place}: {_cut(what)}",
                70,
                first.line,
            ),
            implication(f"The work is left unfinished: {_cut(what, 80)}", 48, first.line),
        ]
    if _SUPPRESSION.search(first.detail):
        prose = first.detail
        text = f"The comment {quoted(prose)} suppresses a linter warning{scene.place}"
        return [claim(text, 66, first.line)]
    return [claim(f"A {_noun(prose, scene)} is added{scene.place}: {_cut(prose)}", 60, first.line)]


def removed_remarks(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe comment lines, or decorators, that are gone as one claim."""
    first = statements[0]
    if first.sort is Sort.DECORATOR:
        names = listed([quoted(s.detail) for s in statements])
        return [claim(f"The annotation {names} is removed{scene.place}", 76, first.line)]
    prose = _prose(statements)
    if not prose:
        return []
    noun = _noun(prose, scene)
    return [claim(f"The {noun} is removed{scene.place}: {_cut(prose)}", 58, first.line)]


def rewritten_remark(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say how a comment or a decorator is reworded."""
    old, new, line = pair.old, pair.new, pair.new.line
    if new.sort is Sort.DECORATOR:
        text = f"The annotation {quoted(old.detail)} becomes {quoted(new.detail)}"
        return [claim(text + scene.place, 76, line)] if old.detail != new.detail else []
    if old.detail == new.detail:
        return []
    noun = _noun(new.detail, scene)
    facts = [claim(f"The {noun}{scene.place} is updated", 50, line)]
    edits = text_edits(old.detail[:600], new.detail[:600])
    added = [e.new for e in edits if e.new and not e.old]
    if added and len(added) == len(edits):
        return [
            *facts,
            claim(
                f"The {noun} now mentions {listed([quoted(a) for a in added], 2)}: "
                f"{_cut(new.detail)}",
                64,
                line,
            ),
        ]
    if len(edits) == 1 and edits[0].old and edits[0].new:
        text = f"The {noun} says {quoted(edits[0].new)} instead of {quoted(edits[0].old)}"
        return [*facts, claim(f"{text}: {_cut(new.detail)}", 64, line)]
    return [claim(f"The {noun} {quoted(old.detail)} is reworded to {quoted(new.detail)}", 62, line)]


def _noun(prose: str, scene: Scene) -> str:
    if scene.language in PROSE:
        return "text in the documentation"
    return "copyright or license notice" if _LICENCE.search(prose) else "comment"


def _prose(statements: Sequence[Statement]) -> str:
    return " ".join(s.detail for s in statements[:8] if s.detail)


def _cut(prose: str, limit: int = MAX_PROSE) -> str:
    return quoted(prose, limit)[1:-1]
