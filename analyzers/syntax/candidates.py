"""Scaffolds that may make torn code complete, likeliest first."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from analyzers.syntax.grammar import Closing, Grammar, Place, Way
from analyzers.syntax.outline import DIRECTIVE, HOLE, Opener, Outline
from analyzers.syntax.parsing import Judge

_PAIRS = {"(": "()", "[": "[]"}
_MOST = 30
_ENDIF = "\n#endif\n"

_Costly = list[tuple[int, str]]


def endings(grammar: Grammar, shape: Outline, *, in_list: bool) -> _Costly:
    """Return texts that may complete what `shape` leaves open, cheapest first, with their cost.

    `in_list` says that code outside of open brackets is part of a list.
    """
    closings = [_closing(grammar, opener) for opener in shape.opened]
    lists = [in_list]
    for opener, closing in zip(shape.opened, closings, strict=True):
        lists.append(lists[-1] if opener.bracket == DIRECTIVE else closing.is_list)
    found: _Costly = [(0, "")]
    if not (shape.opened and shape.opened[-1].quote):
        found = _with(found, _ends(grammar, shape.rest, in_list=lists[-1]))
    for index in range(len(closings) - 1, -1, -1):
        opener, closing = shape.opened[index], closings[index]
        found = [(cost, text + closing.text) for cost, text in found]
        if not closing.ends:
            found = _with(found, _ends(grammar, _closed_statement(opener), in_list=lists[index]))
    return found


def without_directives(ending: str) -> str:
    """Return an ending without `#endif`, for code without directives."""
    return ending.replace(_ENDIF, "")


def _closing(grammar: Grammar, opener: Opener) -> Closing:
    if opener.quote is not None:
        return Closing("", "", opener.quote.closing or "")
    if opener.bracket == DIRECTIVE:
        return Closing("", "", _ENDIF, ends=True)
    if opener.bracket == HOLE:
        return Closing("", "", "}", ends=True, is_list=True)
    return next(
        one
        for one in grammar.closings
        if one.bracket == opener.bracket and re.search(one.head, opener.head)
    )


def _closed_statement(opener: Opener) -> str:
    """Return the statement before `opener` with the opened bracket or quote closed."""
    if opener.quote is None:
        return f"{opener.head} {_PAIRS.get(opener.bracket, '{}')}".lstrip()
    return opener.head if opener.quote.is_comment else f'{opener.head} ""'.lstrip()


def _ends(grammar: Grammar, rest: str, *, in_list: bool) -> Iterable[tuple[int, str]]:
    table = grammar.list_endings if in_list else grammar.endings
    return enumerate(next(one.texts for one in table if re.search(one.rest, rest)))


def _with(starts: _Costly, ends: Iterable[tuple[int, str]]) -> _Costly:
    ends = list(ends)
    pairs = [(a + b, start + end) for a, start in starts for b, end in ends]
    return sorted(pairs, key=lambda pair: pair[0])[:_MOST]


_MISFIT_COST = 4
_HINT_GAIN = 3
_SEEN = 300  # characters of the start: enough to see how it goes on
_FLAW_COST = 5
_FULL_FLAW_COST = 100


@dataclass(frozen=True, slots=True)
class Candidate:
    """Lines to put before and after a hunk; a higher `cost` is less likely.

    Candidates of the same `start` differ only in what comes after.
    """

    cost: int
    start: tuple[str, ...]
    tail: str
    after: tuple[str, ...]


class Torn:
    """Lines of a hunk, read as if they had the `shape`."""

    def __init__(self, grammar: Grammar, text: str, shape: Outline, heading: str) -> None:
        self.grammar = grammar
        self.text = text
        self.shape = shape
        self.ways = [way for way in grammar.ways if _is_open(way, text)]
        self._heading = heading
        self._code = text[shape.first : shape.first + _SEEN]

    @cached_property
    def wraps(self) -> dict[str, tuple[int, tuple[Way, ...]]]:
        """Cheapest and shortest ways from a file into each place, with their cost."""
        wraps: dict[str, tuple[int, tuple[Way, ...]]] = {self.grammar.places[0].name: (0, ())}
        for _ in self.grammar.places:
            for way in self.ways:
                if way.outer not in wraps:
                    continue
                cost, outer = wraps[way.outer]
                new = cost + way.cost, (*outer, way)
                old = wraps.get(way.inner)
                if old is None or (new[0], len(new[1])) < (old[0], len(old[1])):
                    wraps[way.inner] = new
        return wraps

    @cached_property
    def places(self) -> dict[str, Place]:
        """Places that can be reached, by name."""
        return {place.name: place for place in self.grammar.places if place.name in self.wraps}

    def end_cost(self, place: Place) -> int:
        """Return the cost of `place` around the code after the last bracket that is closed."""
        is_hinted = place.heading is not None and re.search(place.heading, self._heading)
        is_misfit = place.is_top != (self.shape.indent == 0)
        return place.cost - _HINT_GAIN * bool(is_hinted) + _MISFIT_COST * is_misfit

    def start_gain(self, place: Place) -> int:
        """Return how much less `place` costs because of the start of the code."""
        is_hinted = place.likely is not None and re.match(place.likely, self._code)
        return _HINT_GAIN * bool(is_hinted)

    def endings(self, place: Place) -> Sequence[tuple[int, str]]:
        """Return texts that may complete the end in `place`, cheapest first, with their cost."""
        return self._list_endings if place.is_list else self._endings

    @cached_property
    def _endings(self) -> Sequence[tuple[int, str]]:
        return endings(self.grammar, self.shape, in_list=False)

    @cached_property
    def _list_endings(self) -> Sequence[tuple[int, str]]:
        return endings(self.grammar, self.shape, in_list=True)

    def leads(self, place: Place) -> list[tuple[int, str]]:
        """Return texts that may stand before the code in `place`, with their cost."""
        if self.shape.start is not None:
            return [*enumerate(self.shape.start.leads)]
        fitting = [
            (lead.cost, lead.text)
            for lead in self.grammar.leads
            if place.name in lead.places and re.match(lead.first, self._code)
        ]
        return sorted([(0, ""), *fitting], key=lambda pair: pair[0])


def _is_open(way: Way, text: str) -> bool:
    if way.unless_found is not None and re.search(way.unless_found, text):
        return False
    return way.if_found is None or re.search(way.if_found, text) is not None


def candidates(torn: Torn, judge: Judge) -> list[Candidate]:
    """Return what may complete `torn`, cheapest first; `judge` says which brackets fit."""
    found = _around_closers(torn, judge) if torn.shape.closers else _around(torn)
    return sorted(found, key=lambda candidate: candidate.cost)


def _around(torn: Torn) -> Iterator[Candidate]:
    """Yield candidates for a text that closes only what it has opened."""
    for place in torn.places.values():
        wrap_cost, wrap = torn.wraps[place.name]
        cost = wrap_cost + torn.end_cost(place) - torn.start_gain(place)
        tails = torn.endings(place)
        for lead_cost, lead in torn.leads(place):
            for tail_cost, tail in tails:
                yield _candidate(cost + lead_cost + tail_cost, wrap, (), lead, tail)


@dataclass(frozen=True, slots=True)
class _Path:
    """A path from a place into the text: ways, outermost first, and a lead before the text."""

    cost: int
    ways: tuple[Way, ...]
    lead: str


def _around_closers(torn: Torn, judge: Judge) -> Iterator[Candidate]:
    """Yield candidates for a text that closes brackets opened before it.

    The code between two closed brackets stands in one place. So the opening of each bracket is
    found alone, from the innermost out, with a filler inside of the bracket before.
    """
    closers = torn.shape.closers
    offsets = [closer.offset for closer in closers]
    paths = _innermost(torn, torn.shape.plain[: offsets[0]], judge)
    for closer, end in zip(closers[:-1], offsets[1:], strict=True):
        piece = torn.shape.plain[closer.offset : end]
        paths = _outwards(torn, paths, closer.bracket, piece, judge)
    rest = torn.shape.plain[offsets[-1] :]
    for way in _ways_out(torn, paths, closers[-1].bracket):
        place, path = torn.places[way.outer], paths[way.inner]
        wrap_cost, wrap = torn.wraps[way.outer]
        cost = wrap_cost + torn.end_cost(place) + way.cost + path.cost
        opened = f"{_opened(torn, wrap, way)}{rest}"
        ending = _ending(torn, place, opened, _closed(wrap), judge)
        if ending is not None:
            tail_cost, tail = ending
            yield _candidate(cost + tail_cost, wrap, (way, *path.ways), path.lead, tail)


def _ending(torn: Torn, place: Place, start: str, end: str, judge: Judge) -> tuple[int, str] | None:
    """Return the ending that fits best between `start` and `end`, with its cost."""
    tails = torn.endings(place)
    for cost, tail in tails:
        verdict = judge.verdict(f"{start}{without_directives(tail)}{end}")
        if verdict.tree is not None:
            return cost, tail
        if verdict.read < len(start.encode("utf-8", "replace")):
            break
    cost, tail = tails[0]
    flaws = _cost_of_flaws(f"{start}{without_directives(tail)}{end}", judge)
    return None if flaws is None else (cost + flaws, tail)


def _innermost(torn: Torn, piece: str, judge: Judge) -> Mapping[str, _Path]:
    """Return the best path to each place that the text may start in."""
    if not piece.strip():
        return {name: _Path(name != "statements", (), "") for name in torn.places}
    paths: dict[str, _Path] = {}
    for place in torn.places.values():
        _, wrap = torn.wraps[place.name]
        before = "".join(f"{way.opening}\n" for way in wrap)
        for lead_cost, lead in torn.leads(place):
            flaws = _cost_of_flaws(f"{before}{lead}\n{piece}{_closed(wrap)}", judge)
            if flaws is not None:
                cost = place.cost - torn.start_gain(place) + lead_cost + flaws
                if place.name not in paths or cost < paths[place.name].cost:
                    paths[place.name] = _Path(cost, (), lead)
            if flaws == 0:
                break
    return paths


def _outwards(
    torn: Torn, paths: Mapping[str, _Path], bracket: str, piece: str, judge: Judge
) -> Mapping[str, _Path]:
    """Return the best path to each place around the `bracket` that starts `piece`."""
    outer: dict[str, _Path] = {}
    for way in _ways_out(torn, paths, bracket):
        path = paths[way.inner]
        cost = path.cost + way.cost
        if way.outer in outer and outer[way.outer].cost <= cost:
            continue
        _, wrap = torn.wraps[way.outer]
        flaws = _cost_of_flaws(f"{_opened(torn, wrap, way)}{piece}{_closed(wrap)}", judge)
        if flaws is not None and (way.outer not in outer or cost + flaws < outer[way.outer].cost):
            outer[way.outer] = _Path(cost + flaws, (way, *path.ways), path.lead)
    return outer


def _ways_out(torn: Torn, paths: Mapping[str, _Path], bracket: str) -> Iterator[Way]:
    for way in torn.ways:
        if way.inner in paths and way.outer in torn.places and way.closing.startswith(bracket):
            yield way


def _cost_of_flaws(text: str, judge: Judge) -> int | None:
    """Return 0 for code, more for code with small errors, None for other text."""
    if judge.verdict(text).tree is not None:
        return 0
    flawed = judge.flaws(text)
    return None if flawed is None else _FLAW_COST + round(_FULL_FLAW_COST * flawed[1])


def _closed(wrap: tuple[Way, ...]) -> str:
    return "".join(f"\n{way.closing}" for way in reversed(wrap))


def _opened(torn: Torn, wrap: tuple[Way, ...], way: Way) -> str:
    """Return all up to the bracket that ends `way`."""
    openings = [one.opening for one in (*wrap, way)]
    return "\n".join([*openings, torn.places[way.inner].filler, ""])


def _candidate(
    cost: int, wrap: tuple[Way, ...], heads: tuple[Way, ...], lead: str, tail: str
) -> Candidate:
    start = [way.opening for way in (*wrap, *heads)]
    after = [way.closing for way in reversed(wrap)]
    return Candidate(cost, (*start, lead), tail, tuple(after))
