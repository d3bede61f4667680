"""Make a hunk parse: the smallest scaffold around it, or the fewest lines off its ends."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from analyzers.context import Context
from analyzers.model import Fragment
from analyzers.passage import Passage, source_lines
from analyzers.reading import UnparsableError
from analyzers.syntax.blocks import blocks
from analyzers.syntax.candidates import Candidate, Torn, candidates
from analyzers.syntax.grammar import Grammar, Quote
from analyzers.syntax.outline import outline
from analyzers.syntax.parsing import Judge, first_error, parse

if TYPE_CHECKING:
    from tree_sitter import Tree

__all__ = ["complete"]

_MAX_CUT = 6
_MAX_LENGTH_TO_CUT = 20_000  # in characters: nothing is cut off a longer hunk
# In reports of the parser: what is tried in all, so that a hopeless hunk does not take long.
_PARSE_BUDGET = 20_000

_MOST_FLAWED = 4
_RANK_COST = 0.02  # in shares of errors


_Line = tuple[int | None, str]
_Found = tuple[Passage, "Tree"]


def complete(
    dialects: Sequence[Grammar], fragment: Fragment, changed_lines: frozenset[int]
) -> Context:
    """Find the least change of `fragment`'s ends that makes it code of one of `dialects`.

    Nothing inside it is altered and no changed line is left out. In this order: as it is or in
    a scaffold, with what its first and last statement lack; then with up to six lines of
    context off its ends.

    Raises:
        UnparsableError: nothing helped; the line is that of the new file.
    """
    lines: list[_Line] = list(enumerate(source_lines(fragment.text), fragment.first_line))
    heading = fragment.heading or ""
    first_error: UnparsableError | None = None
    for lenient in (False, True):
        judges = [Judge(grammar, _PARSE_BUDGET, lenient=lenient) for grammar in dialects]
        for kept in _cuts(lines, changed_lines):
            for judge in judges:
                found = _read(kept, heading, judge)
                if not isinstance(found, Passage):
                    passage, tree = found
                    return Context.of(passage, blocks(tree, judge.grammar.blocks, passage))
                first_error = first_error or _error(dialects[0], found)
            if judges[0].is_tired:
                break
        if not any(judge.was_strict or _has_markup(judge.grammar, fragment) for judge in judges):
            break
    raise first_error or UnparsableError(fragment.first_line, "syntax error")


def _has_markup(grammar: Grammar, fragment: Fragment) -> bool:
    return grammar.markup is not None and re.search(grammar.markup, fragment.text) is not None


def _cuts(lines: list[_Line], changed_lines: frozenset[int]) -> Iterator[list[_Line]]:
    """All lines, then fewer and fewer of them."""
    may_cut = sum(len(text) for _, text in lines) <= _MAX_LENGTH_TO_CUT
    for count in range(_MAX_CUT + 1 if may_cut else 1):
        for top in range(count + 1):
            end = len(lines) - (count - top)
            left_out = lines[:top] + lines[end:]
            if top < end and not any(number in changed_lines for number, _ in left_out):
                yield lines[top:end]


def _read(lines: list[_Line], heading: str, judge: Judge) -> "_Found | Passage":
    """The likeliest passage that is code, with its tree; without one where none is."""
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
            if judge.is_tired:
                break
    return _least_flawed(likeliest, judge) or next(iter(likeliest), Passage.of_lines(lines))


def _error(grammar: Grammar, passage: Passage) -> UnparsableError:
    """The first error in `passage`, at its line of the new file or the one before."""
    tree = parse(grammar, passage.text)
    row = first_error(tree) if tree is not None else None
    numbers = passage.line_numbers
    before = [number for number in reversed(numbers[: row or 0]) if number is not None]
    line = next(number for number in (*before, *numbers) if number is not None)
    return UnparsableError(line, "syntax error")


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
    fine = sorted((one for one in shapes if one is not None), key=lambda one: one.torn_lines)
    return [Torn(grammar, text, shape, heading) for shape in fine]
