"""Make a hunk parse: the smallest scaffold around it, or the fewest lines off its ends."""

from collections.abc import Iterator
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

_Line = tuple[int | None, str]


def complete(
    grammar: Grammar, fragment: Fragment, changed_lines: frozenset[int]
) -> tuple[Passage, "Tree"]:
    """Find the least change of `fragment`'s ends that makes it code of `grammar`.

    Nothing inside it is altered and no changed line is left out. In this order: as it is or in
    a scaffold, with what its first and last statement lack; then with up to six lines of
    context off its ends.

    Raises:
        UnparsableError: nothing helped; the line is that of the new file.
    """
    lines: list[_Line] = list(enumerate(source_lines(fragment.text), fragment.first_line))
    for lenient in (False, True):
        judge = Judge(grammar, _PARSE_BUDGET, lenient=lenient)
        for kept in _cuts(lines, changed_lines):
            found = _read(kept, fragment.heading or "", judge)
            if found is not None:
                return found
            if judge.is_tired:
                break
        if not judge.was_strict:
            break
    raise UnparsableError(fragment.first_line, f"no {grammar.name} that could be completed")


def _cuts(lines: list[_Line], changed_lines: frozenset[int]) -> Iterator[list[_Line]]:
    """All lines, then fewer and fewer of them."""
    may_cut = sum(len(text) for _, text in lines) <= _MAX_LENGTH_TO_CUT
    for count in range(_MAX_CUT + 1 if may_cut else 1):
        for top in range(count + 1):
            end = len(lines) - (count - top)
            left_out = lines[:top] + lines[end:]
            if top < end and not any(number in changed_lines for number, _ in left_out):
                yield lines[top:end]


def _read(lines: list[_Line], heading: str, judge: Judge) -> "tuple[Passage, Tree] | None":
    text = "".join(f"{line}\n" for _, line in lines)
    for torn in _readings(judge.grammar, text, heading):
        hopeless: set[tuple[str, ...]] = set()
        for candidate in candidates(torn, judge):
            if candidate.start in hopeless:
                continue
            passage, tail_row = _passage(torn, candidate, lines)
            verdict = judge.verdict(passage.text)
            if verdict.tree is not None:
                return passage, verdict.tree
            shown = "".join(passage.text.splitlines(keepends=True)[:tail_row])
            if verdict.read < len(shown.encode("utf-8", "replace")):
                hopeless.add(candidate.start)
            if judge.is_tired:
                return None
    return None


def _passage(torn: Torn, candidate: Candidate, lines: list[_Line]) -> tuple[Passage, int]:
    """The lines in the scaffold, and how many there are before the end that this adds."""
    shape = torn.shape
    before = [line for line in candidate.start if line] + ["#if 1"] * shape.directives_closed
    after = ["#endif"] * shape.directives_open + candidate.tail.split("\n") + [*candidate.after]
    head: list[_Line] = [*((None, line) for line in before), *lines]
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
