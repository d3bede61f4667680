"""Make a hunk parse: the smallest scaffold around it, or the fewest lines off its ends."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from analyzers.model import Fragment
from analyzers.passage import Passage, source_lines
from analyzers.reading import UnparsableError
from analyzers.syntax.candidates import Candidate, Torn, candidates
from analyzers.syntax.grammar import Grammar, Quote
from analyzers.syntax.outline import outline
from analyzers.syntax.parsing import Judge

if TYPE_CHECKING:
    from tree_sitter import Tree

__all__ = ["complete"]

_MAX_CUT = 6
# In characters: nothing is cut off a longer hunk, and no more than the budget is tried in all,
# so that a hopeless one does not take long.
_MAX_LENGTH_TO_CUT = 20_000
_PARSE_BUDGET = 2_000_000
_MOST_CLOSERS = 20

_MOST_FLAWED = 4
_RANK_COST = 0.02  # in shares of errors


_Line = tuple[int | None, str]
_Found = tuple[Passage, "Tree"]


def complete(
    dialects: Sequence[Grammar], fragment: Fragment, changed_lines: frozenset[int]
) -> tuple[Passage, "Tree"]:
    """Find the least change of `fragment`'s ends that makes it code of one of `dialects`.

    Nothing inside it is altered and no changed line is left out. In this order: as it is or in
    a scaffold, with what its first and last statement lack; then with up to six lines of
    context off its ends.

    Raises:
        UnparsableError: nothing helped; the line is that of the new file.
    """
    lines: list[_Line] = list(enumerate(source_lines(fragment.text), fragment.first_line))
    for lenient in (False, True):
        judges = [Judge(grammar, _PARSE_BUDGET, lenient=lenient) for grammar in dialects]
        for kept in _cuts(lines, changed_lines):
            for judge in judges:
                found = _read(kept, fragment.heading or "", judge)
                if found is not None:
                    return found
            if judges[0].is_tired:
                break
        if not any(judge.was_strict for judge in judges):
            break
    raise UnparsableError(fragment.first_line, f"no {dialects[0].name} that could be completed")


def _cuts(lines: list[_Line], changed_lines: frozenset[int]) -> Iterator[list[_Line]]:
    """All lines, then fewer and fewer of them."""
    may_cut = sum(len(text) for _, text in lines) <= _MAX_LENGTH_TO_CUT
    for count in range(_MAX_CUT + 1 if may_cut else 1):
        for top in range(count + 1):
            end = len(lines) - (count - top)
            left_out = lines[:top] + lines[end:]
            if top < end and not any(number in changed_lines for number, _ in left_out):
                yield lines[top:end]


def _read(lines: list[_Line], heading: str, judge: Judge) -> "_Found | None":
    text = "".join(f"{line}\n" for _, line in lines)
    likeliest: list[Passage] = []
    for torn in _readings(judge.grammar, text, heading):
        found = candidates(torn, judge)
        likeliest += [_passage(torn, one, lines)[0] for one in found[:_MOST_FLAWED]]
        hopeless: set[tuple[str, ...]] = set()
        for candidate in found:
            if candidate.start in hopeless:
                continue
            passage, rows_before_tail = _passage(torn, candidate, lines)
            verdict = judge.verdict(passage.text)
            if verdict.tree is not None:
                return passage, verdict.tree
            if verdict.read < _bytes(passage.text, rows_before_tail):
                hopeless.add(candidate.start)
    return _least_flawed(likeliest, judge)


def _least_flawed(passages: list[Passage], judge: Judge) -> "_Found | None":
    """The likeliest passage with small errors, if any; one with far fewer is likelier."""
    flawed = [(passage, judge.flaws(passage.text)) for passage in passages]
    rated = [
        (rank * _RANK_COST + found[1], passage, found[0])
        for rank, (passage, found) in enumerate(flawed)
        if found is not None
    ]
    return min(rated, key=lambda one: one[0])[1:] if rated else None


def _bytes(text: str, rows: int) -> int:
    """How long the first `rows` of `text` are."""
    shown = "\n".join(text.split("\n")[:rows])
    return len(shown.encode("utf-8", "replace"))


def _passage(torn: Torn, candidate: Candidate, lines: list[_Line]) -> tuple[Passage, int]:
    """The lines in the scaffold, and how many there are before the end that this adds."""
    before = [*candidate.start]
    for closers in torn.shape.directives:
        # Around all that is opened after it, so before what its brackets were closed in.
        before.insert(len(before) - 1 - closers, "#if 1")
    after = [*candidate.tail.split("\n"), *candidate.after]
    head: list[_Line] = [*((None, line) for line in before if line), *lines]
    return Passage.of_lines([*head, *((None, line) for line in after if line)]), len(head)


def _readings(grammar: Grammar, text: str, heading: str) -> list[Torn]:
    """The ways to take the start: as code, or as the end of a comment or text that is torn.

    Those where less is in one that is torn come first.
    """
    starts: list[Quote | None] = [None, *(quote for quote in grammar.lexis.quotes if quote.leads)]
    shapes = [outline(grammar.lexis, text, start) for start in starts]
    fine = [
        shape
        for shape in shapes
        if shape is not None and not shape.is_mixed and len(shape.closers) <= _MOST_CLOSERS
    ]
    fine.sort(key=lambda shape: shape.torn_lines)
    return [Torn(grammar, text, shape, heading) for shape in fine]
