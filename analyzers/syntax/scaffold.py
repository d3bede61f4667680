"""Make a hunk parse: the smallest scaffold around it, or the fewest lines off its ends."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from analyzers.model import Fragment
from analyzers.passage import Passage, source_lines
from analyzers.reading import UnparsableError
from analyzers.syntax.endings import endings
from analyzers.syntax.grammar import Grammar, Place, Quote, Way
from analyzers.syntax.outline import Outline, outline
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
_MISFIT_COST = 4
_HINT_GAIN = 3
_FILE = "file"
_STATEMENTS = "statements"

_Line = tuple[int | None, str]


@dataclass(frozen=True, slots=True)
class _Candidate:
    cost: int
    before: tuple[str, ...]
    after: tuple[str, ...]


class _Torn:
    """Some lines of a hunk, taken to start as `shape` says, with `lead` before them."""

    def __init__(
        self, grammar: Grammar, text: str, shape: Outline, leads: tuple[str, ...], heading: str
    ) -> None:
        self.grammar = grammar
        self.text = text
        self.shape = shape
        self._quote_leads = leads
        self._heading = heading
        self.ways = [
            way for way in grammar.ways if way.only_with is None or re.search(way.only_with, text)
        ]

    @cached_property
    def wraps(self) -> dict[str, tuple[int, tuple[Way, ...]]]:
        """The cheapest ways from the file into each place, with their cost."""
        wraps: dict[str, tuple[int, tuple[Way, ...]]] = {_FILE: (0, ())}
        for _ in self.grammar.places:
            for way in self.ways:
                if way.outer in wraps:
                    cost, outer = wraps[way.outer]
                    if way.inner not in wraps or cost + way.cost < wraps[way.inner][0]:
                        wraps[way.inner] = cost + way.cost, (*outer, way)
        return wraps

    def outermost_cost(self, place: Place) -> int:
        """How unlikely what is left after the last torn bracket lies in `place`."""
        is_misfit = (place.name == _FILE) != (self.shape.indent == 0)
        cost = place.cost + _MISFIT_COST * is_misfit
        if place.heading is not None and re.search(place.heading, self._heading):
            cost -= _HINT_GAIN
        return cost

    def innermost_cost(self, place: Place) -> int:
        """How unlikely the start lies in `place`."""
        if self.shape.closers and not self.text[: self.shape.closers[0].offset].strip():
            return place.name != _STATEMENTS
        is_hinted = place.likely is not None and re.match(
            place.likely, self.text[self.shape.first :]
        )
        return place.cost - _HINT_GAIN * bool(is_hinted)

    def leads(self, place: Place) -> Iterator[tuple[int, str]]:
        """What may stand before the text in `place`, and how unlikely that is."""
        code = self.text[self.shape.first :]
        if self._quote_leads:
            yield from enumerate(self._quote_leads)
        else:
            fitting = [
                (lead.cost, lead.text)
                for lead in self.grammar.leads
                if place.name in lead.places and re.match(lead.first, code)
            ]
            yield from sorted([(0, ""), *fitting])


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
    judge = Judge(grammar, _PARSE_BUDGET)
    spare: tuple[Passage, Tree] | None = None
    for kept in _cuts(lines, changed_lines):
        found = _read(grammar, kept, fragment.heading or "", judge)
        if found is not None and not judge.is_unread(found[1]):
            return found
        spare = spare or found
        if judge.budget < 0:
            break
    if spare is not None:
        return spare
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


def _read(
    grammar: Grammar, lines: list[_Line], heading: str, judge: Judge
) -> "tuple[Passage, Tree] | None":
    text = "".join(f"{line}\n" for _, line in lines)
    for torn in _readings(grammar, text, heading):
        for candidate in _candidates(torn, judge):
            passage = Passage.of_lines(
                [
                    *((None, line) for line in candidate.before),
                    *lines,
                    *((None, line) for line in candidate.after),
                ]
            )
            tree = judge.tree(passage.text)
            if tree is not None:
                return passage, tree
            if judge.budget < 0:
                return None
    return None


def _readings(grammar: Grammar, text: str, heading: str) -> list[_Torn]:
    """The ways to take the start: as code, or as the end of a comment or text that is torn.

    Those where less is in one that is torn come first.
    """
    starts: list[Quote | None] = [None]
    starts += [quote for quote in grammar.lexis.quotes if quote.leads]
    found = [(start, outline(grammar.lexis, text, start)) for start in starts]
    fine = [
        (start, shape)
        for start, shape in found
        if shape is not None and not shape.is_mixed and len(shape.closers) <= _MOST_CLOSERS
    ]
    fine.sort(key=lambda pair: pair[1].torn_lines)
    return [
        _Torn(grammar, text, shape, start.leads if start else (), heading) for start, shape in fine
    ]


def _candidates(torn: _Torn, judge: Judge) -> Iterable[_Candidate]:
    found = _heads(torn, judge) if torn.shape.closers else _plain(torn)
    return sorted(found, key=lambda candidate: candidate.cost)


def _plain(torn: _Torn) -> Iterator[_Candidate]:
    """Candidates for a text that closes nothing that it did not open."""
    for place in torn.grammar.places:
        if place.name not in torn.wraps:
            continue
        wrap_cost, wrap = torn.wraps[place.name]
        cost = wrap_cost + min(torn.outermost_cost(place), torn.innermost_cost(place))
        tails = endings(torn.grammar, torn.shape, in_list=place.is_list)
        for lead_cost, lead in torn.leads(place):
            for tail_cost, tail in enumerate(tails):
                yield _candidate(cost + lead_cost + tail_cost, wrap, (), lead, tail)


@dataclass(frozen=True, slots=True)
class _Path:
    """From a place into the text: ways, outermost first, and what stands before the text."""

    cost: int
    ways: tuple[Way, ...]
    lead: str


def _heads(torn: _Torn, judge: Judge) -> Iterator[_Candidate]:
    """Candidates for a text that closes brackets opened before it, from the innermost one out.

    The code between one of them and the next stands in one place, so that what can have opened
    them is found out for each alone, by filling the bracket before with what may be in it.
    """
    offsets = [closer.offset for closer in torn.shape.closers]
    paths = _innermost(torn, torn.text[: offsets[0]], judge)
    for closer, end in zip(torn.shape.closers[:-1], offsets[1:], strict=True):
        piece = torn.text[closer.offset : end]
        paths = _outwards(torn, paths, closer.bracket, piece, judge)
    last = torn.shape.closers[-1]
    rest = torn.text[last.offset :]
    fillers = _fillers(torn.grammar)
    places = {place.name: place for place in torn.grammar.places}
    for way in torn.ways:
        if way.inner not in paths or not way.closing.startswith(last.bracket):
            continue
        if way.outer not in torn.wraps:
            continue
        place, path = places[way.outer], paths[way.inner]
        wrap_cost, wrap = torn.wraps[way.outer]
        cost = wrap_cost + torn.outermost_cost(place) + way.cost + path.cost
        tails = endings(torn.grammar, torn.shape, in_list=place.is_list)
        for tail_cost, tail in enumerate(tails):
            inner = f"{way.opening}\n{fillers[way.inner]}\n{rest}{tail}"
            if judge.budget > 0 and judge.tree(_wrapped(wrap, inner)) is not None:
                yield _candidate(cost + tail_cost, wrap, (way, *path.ways), path.lead, tail)
                break


def _innermost(torn: _Torn, piece: str, judge: Judge) -> Mapping[str, _Path]:
    """For each place that the text may start in, the best path to it."""
    paths: dict[str, _Path] = {}
    for place in torn.grammar.places:
        if place.name not in torn.wraps:
            continue
        _, wrap = torn.wraps[place.name]
        for lead_cost, lead in torn.leads(place):
            inner = f"{lead}\n{piece}" if piece.strip() or lead else place.filler
            if judge.budget > 0 and judge.tree(_wrapped(wrap, inner)) is not None:
                paths[place.name] = _Path(torn.innermost_cost(place) + lead_cost, (), lead)
                break
    return paths


def _outwards(
    torn: _Torn, paths: Mapping[str, _Path], bracket: str, piece: str, judge: Judge
) -> Mapping[str, _Path]:
    """For each place around the `bracket` that starts `piece`, the best path to it."""
    fillers = _fillers(torn.grammar)
    outer: dict[str, _Path] = {}
    for way in torn.ways:
        if way.inner not in paths or not way.closing.startswith(bracket):
            continue
        path = paths[way.inner]
        cost = path.cost + way.cost
        if way.outer not in torn.wraps or (way.outer in outer and outer[way.outer].cost <= cost):
            continue
        _, wrap = torn.wraps[way.outer]
        inner = f"{way.opening}\n{fillers[way.inner]}\n{piece}"
        if judge.budget > 0 and judge.tree(_wrapped(wrap, inner)) is not None:
            outer[way.outer] = _Path(cost, (way, *path.ways), path.lead)
    return outer


def _fillers(grammar: Grammar) -> dict[str, str]:
    return {place.name: place.filler for place in grammar.places}


def _wrapped(wrap: tuple[Way, ...], inner: str) -> str:
    before = [way.opening for way in wrap]
    after = [way.closing for way in reversed(wrap)]
    return "\n".join([*before, inner, *after]) + "\n"


def _candidate(
    cost: int, wrap: tuple[Way, ...], heads: tuple[Way, ...], lead: str, tail: str
) -> _Candidate:
    before = [way.opening for way in (*wrap, *heads)]
    after = [way.closing for way in reversed(wrap)]
    return _Candidate(
        cost,
        tuple(line for line in (*before, lead) if line),
        tuple(line for line in (tail, *after) if line),
    )
