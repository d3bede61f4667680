"""Complete Java and JavaScript hunks: try scaffolds that may make one parse, likeliest first."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from analyzers.model import Fragment
from analyzers.reading import Line, Passage, UnparsableError, cuts, source_lines
from analyzers.syntax.grammar import CLOSINGS, ENDINGS, LIST_ENDINGS, Closing, Grammar, Place, Way
from analyzers.syntax.parsing import SyntaxChecker, first_error, parse
from analyzers.syntax.shape import HOLE, QUOTES, Opener, Shape, shape_of

if TYPE_CHECKING:
    from tree_sitter import Tree

# Text before code that starts inside a quote, likeliest first.
_LEADS = {"/*": ("/*",), "`": ("__ = `", "`"), '"""': ('__ = """', '"""')}
_PAIRS = {"(": "()", "[": "[]"}
_MOST = 30

_Costly = list[tuple[int, str]]
_Candidate = tuple[int, tuple[str, ...], tuple[str, ...]]
"""A cost (lower is likelier), and lines to put before and after a hunk."""


def endings(shape: Shape, *, in_list: bool) -> _Costly:
    """Return texts that may complete what `shape` leaves open, cheapest first, with their cost.

    Set `in_list` if code outside of open brackets is part of a list.
    """
    closings = [_closing(opener) for opener in shape.opened]
    lists = [in_list, *(closing.is_list for closing in closings)]
    found: _Costly = [(0, "")]
    if not (shape.opened and shape.opened[-1].bracket in QUOTES):
        found = _with(found, _ends(shape.rest, in_list=lists[-1]))
    for index in range(len(closings) - 1, -1, -1):
        opener, closing = shape.opened[index], closings[index]
        found = [(cost, text + closing.text) for cost, text in found]
        if not closing.ends:
            found = _with(found, _ends(_closed_statement(opener), in_list=lists[index]))
    return found


def _closing(opener: Opener) -> Closing:
    if opener.bracket in QUOTES:
        return Closing("", "", QUOTES[opener.bracket])
    if opener.bracket == HOLE:
        return Closing("", "", "}", ends=True, is_list=True)
    return next(
        closing
        for closing in CLOSINGS
        if closing.bracket == opener.bracket and re.search(closing.head, opener.head)
    )


def _closed_statement(opener: Opener) -> str:
    """Return the statement before `opener` with the opened bracket or quote closed."""
    if opener.bracket == "/*":
        return opener.head
    empty = '""' if opener.bracket in QUOTES else _PAIRS.get(opener.bracket, "{}")
    return f"{opener.head} {empty}".lstrip()


def _ends(rest: str, *, in_list: bool) -> Iterable[tuple[int, str]]:
    table = LIST_ENDINGS if in_list else ENDINGS
    return enumerate(next(texts for pattern, texts in table if re.search(pattern, rest)))


def _with(starts: _Costly, ends: Iterable[tuple[int, str]]) -> _Costly:
    ends = list(ends)
    pairs = [(a + b, start + end) for a, start in starts for b, end in ends]
    return sorted(pairs, key=lambda pair: pair[0])[:_MOST]


_FILE = "file"  # the place where code is not indented
_MISFIT_COST = 4
_HINT_GAIN = 3
_SEEN = 300  # characters at the start: enough to recognise the code


class _Torn:
    """The lines of an incomplete hunk, under the assumption that they have the `shape`.

    `wraps` are the cheapest ways from a file into each place, with their cost.
    """

    def __init__(self, grammar: Grammar, text: str, shape: Shape, heading: str) -> None:
        self.text = text
        self.shape = shape
        self.ways = [way for way in grammar.ways if _is_open(way, text)]
        self.wraps = _wraps(grammar, self.ways)
        self.places = {place.name: place for place in grammar.places if place.name in self.wraps}
        self._leads = grammar.leads
        self._heading = heading
        self._code = text[shape.first : shape.first + _SEEN]
        self._endings = {in_list: endings(shape, in_list=in_list) for in_list in (False, True)}

    def end_cost(self, place: Place) -> int:
        """Return the cost of `place` for the code after the last closed bracket."""
        is_hinted = place.heading is not None and re.search(place.heading, self._heading)
        is_misfit = (place.name == _FILE) != (self.shape.indent == 0)
        cost, _ = self.wraps[place.name]
        return cost + place.cost - _HINT_GAIN * bool(is_hinted) + _MISFIT_COST * is_misfit

    def start_gain(self, place: Place) -> int:
        """Return how much the start of the code lowers the cost of `place`."""
        is_hinted = place.likely is not None and re.match(place.likely, self._code)
        return _HINT_GAIN * bool(is_hinted)

    def leads(self, place: Place) -> _Costly:
        """Return texts that may precede the code in `place`, with their cost."""
        if self.shape.start is not None:
            return [*enumerate(_LEADS[self.shape.start])]
        fitting = [
            (lead.cost, lead.text)
            for lead in self._leads
            if place.name in lead.places.split() and re.match(lead.first, self._code)
        ]
        return sorted([(0, ""), *fitting], key=lambda pair: pair[0])

    def around(self, path: "_Path") -> Iterator[_Candidate]:
        """Yield candidates that reach the lines through `path`."""
        place = self.places[path.place]
        _, wrap = self.wraps[path.place]
        start = *(way.opening for way in (*wrap, *path.ways)), path.lead
        after = tuple(way.closing for way in reversed(wrap))
        for cost, tail in self._endings[place.is_list]:
            yield path.cost + self.end_cost(place) + cost, start, (tail, *after)


def _is_open(way: Way, text: str) -> bool:
    if way.unless_found is not None and re.search(way.unless_found, text):
        return False
    return way.if_found is None or re.search(way.if_found, text) is not None


def _wraps(grammar: Grammar, ways: list[Way]) -> dict[str, tuple[int, tuple[Way, ...]]]:
    wraps: dict[str, tuple[int, tuple[Way, ...]]] = {_FILE: (0, ())}
    for _ in grammar.places:
        for way in ways:
            if way.outer in wraps:
                cost, outer = wraps[way.outer]
                new = cost + way.cost, (*outer, way)
                old = wraps.get(way.inner, new)
                wraps[way.inner] = min(old, new, key=lambda wrap: (wrap[0], len(wrap[1])))
    return wraps


@dataclass(frozen=True, slots=True)
class _Path:
    """A path from a place into the text: ways, outermost first, and a lead before the text."""

    cost: int
    place: str
    ways: tuple[Way, ...]
    lead: str


def candidates(torn: _Torn, checker: SyntaxChecker) -> list[_Candidate]:
    """Return candidates that may complete `torn`, cheapest first; `checker` tests brackets."""
    paths = _out_of_brackets(torn, checker) if torn.shape.closers else _into_places(torn)
    found = (candidate for path in paths for candidate in torn.around(path))
    return sorted(found, key=lambda candidate: candidate[0])


def _into_places(torn: _Torn) -> Iterator[_Path]:
    for place in torn.places.values():
        for cost, lead in torn.leads(place):
            yield _Path(cost - torn.start_gain(place), place.name, (), lead)


def _out_of_brackets(torn: _Torn, checker: SyntaxChecker) -> Iterable[_Path]:
    """Return paths into a text that closes brackets opened before it.

    The code between two closed brackets is in a single place. So find the opening of each bracket
    on its own, from the innermost out, with a filler inside the previous bracket.
    """
    closers = torn.shape.closers
    offsets = [offset for _, offset in closers]
    paths = [*_innermost(torn, torn.text[: offsets[0]], checker)]
    for (bracket, offset), end in zip(closers[:-1], offsets[1:], strict=True):
        piece = torn.text[offset:end]
        cheapest: dict[str, _Path] = {}
        for path in sorted(_outwards(torn, paths, bracket), key=lambda path: path.cost):
            if path.place not in cheapest and _fits(torn, path, piece, checker):
                cheapest[path.place] = path
        paths = [*cheapest.values()]
    return _outwards(torn, paths, closers[-1][0])


def _innermost(torn: _Torn, piece: str, checker: SyntaxChecker) -> Iterator[_Path]:
    """Yield the best path to each place that the text may start in."""
    for place in torn.places.values():
        if not piece.strip():
            yield _Path(place.name != "statements", place.name, (), "")
            continue
        _, wrap = torn.wraps[place.name]
        before = "".join(f"{way.opening}\n" for way in wrap)
        for cost, lead in torn.leads(place):
            if checker.check(f"{before}{lead}\n{piece}{_closed(wrap)}")[0] is not None:
                yield _Path(place.cost - torn.start_gain(place) + cost, place.name, (), lead)
                break


def _outwards(torn: _Torn, paths: Iterable[_Path], bracket: str) -> Iterator[_Path]:
    """Yield `paths` extended to the places around the closed `bracket`."""
    for path in paths:
        for way in torn.ways:
            is_out = way.inner == path.place and way.outer in torn.places
            if is_out and way.closing.startswith(bracket):
                yield _Path(path.cost + way.cost, way.outer, (way, *path.ways), path.lead)


def _fits(torn: _Torn, path: _Path, piece: str, checker: SyntaxChecker) -> bool:
    """Return True if `piece` can close the outermost way of `path` and continue in its place."""
    _, wrap = torn.wraps[path.place]
    way = path.ways[0]
    openings = [outer.opening for outer in (*wrap, way)]
    text = "\n".join([*openings, torn.places[way.inner].filler, piece])
    return checker.check(f"{text}{_closed(wrap)}")[0] is not None


def _closed(wrap: tuple[Way, ...]) -> str:
    return "".join(f"\n{way.closing}" for way in reversed(wrap))


# Progress reports of the parser over all attempts, so that a hopeless hunk does not take long.
_PARSE_BUDGET = 20_000


def complete(
    grammar: Grammar, fragment: Fragment, changed_lines: frozenset[int]
) -> "tuple[Passage, Tree]":
    """Make the smallest addition or cut at the ends of `fragment` that makes it valid code.

    Nothing inside it is altered and no changed line is dropped. Try it unchanged or in a scaffold,
    with its first and last statement completed; then with up to six lines of context cut off.

    Raises:
        UnparsableError: nothing helped; `line` is a line of the new file.
    """
    lines: list[Line] = list(enumerate(source_lines(fragment.text), fragment.first_line))
    likeliest: Passage | None = None
    for strict in (True, False):
        checker = SyntaxChecker(grammar, _PARSE_BUDGET, strict=strict)
        parts = cuts(lines, changed_lines)
        attempts = (_attempts(kept, fragment.heading or "", checker) for kept in parts)
        for passage, tree in chain.from_iterable(attempts):
            if tree is not None:
                return passage, tree
            likeliest = likeliest or passage
            if checker.is_exhausted:
                break
        if not checker.was_strict:
            break
    likeliest = likeliest or Passage.of_lines(lines)
    tree = parse(grammar, likeliest.text)
    row = first_error(tree) if tree is not None else None
    line = likeliest.nearest_line(row or 1) or fragment.first_line
    raise UnparsableError(line, "syntax error")


def _attempts(
    lines: list[Line], heading: str, checker: SyntaxChecker
) -> "Iterator[tuple[Passage, Tree | None]]":
    """Yield passages that may be valid, likeliest first, each with its tree if it is."""
    text = "".join(f"{line}\n" for _, line in lines)
    starts = (None, "/*", checker.grammar.quote)  # code, or the end of a comment or string
    shapes = [shape_of(checker.grammar.patterns, text, start) for start in starts]
    for shape in sorted(filter(None, shapes), key=lambda shape: shape.torn_lines):
        torn = _Torn(checker.grammar, text, shape, heading)
        hopeless: set[tuple[str, ...]] = set()
        for _, start, end in candidates(torn, checker):
            if start not in hopeless:
                head: list[Line] = [(None, line) for line in start if line]
                tail: list[Line] = [(None, line) for line in end if line]
                passage = Passage.of_lines([*head, *lines, *tail])
                tree, read = checker.check(passage.text)
                yield passage, tree
                shown = "".join(f"{line}\n" for _, line in head) + text
                if read < len(shown.encode("utf-8", "replace")):
                    hopeless.add(start)
