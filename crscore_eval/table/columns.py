"""Guess the role of a column in a file from its name and its cells."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain

from crscore_core.text import shorten
from crscore_eval.table.cells import MAX_EXACT, cell_number, cell_text, grade_of, has_diff, is_blank
from crscore_eval.table.schema import DIMENSIONS

_PEOPLE = "author writtenby by who user username authorname authorusername autor"
_RATERS = "rater annotator evaluator judge assessor grader expert participant respondent worker"

FIELDS: Mapping[str, str] = {
    "diff": "diff patch codechange codediff codepatch unifieddiff diffhunk oldhunk change hunk",
    "review": "review reviewtext reviewcomment comment commenttext commentbody prediction pred "
    "generated generatedreview generatedcomment generation hypothesis candidate output body msg "
    "message content kommentar",
    "reference": "reference referencereview groundtruth gold goldreview target msg",
    "id": "id reviewid commentid idx index",
    "rater": " ".join(f"{who} {who}id {who}name {who}email" for who in _RATERS.split())
    + " ratedby annotatedby evaluatedby judgedby assessedby gradedby labeledby completedby sheet "
    "reviewer reviewername reviewedby user username",
    "system": "system systemname model modelname reviewer reviewername reviewedby tool bot "
    f"commenter provider providerid prüfer {_PEOPLE}",
    "language": "language lang programminglanguage codelanguage",
    "claims": "claims givenclaims",
    "new_file": "newfile newf fileafter",
    "old_file": "oldfile oldf filebefore",
    "change": "changeid changename change changenumber changeset mergerequest pullrequest merge mr "
    "pr mergerequestid pullrequestid mrid prid prnumber commit commitid sha "
    "commithash commitsha hash revision patchset issue ticket key",
    "title": "title changetitle mergerequesttitle pullrequesttitle mrtitle prtitle",
    "path": "path filename filepath newpath",
    "reply": "inreplyto inreplytoid replyto replytoid replytodatabaseid parentcommentid parentid",
}
"""Fields of a review, each with the usual names of its column, the most usual first.

Names are in lower case without blanks, `_`, `-` and `.`.
"""

RATINGS = {one: f"human{one} {one}rating {one}" for one in DIMENSIONS}
"""Usual names of columns with ratings. The first column with numbers from 1 to 5 counts."""

AUTHOR = "author"  # in `roles_named`: a person, who may have written the change or the review
_USUAL = {role: names.split() for role, names in {**FIELDS, **RATINGS, AUTHOR: _PEOPLE}.items()}

ENCLOSING = "enclosing."
"""Prefix of the columns of persons in an object around a review, such as a change's author."""

RATING_SCALE = (1.0, 5.0)
"""Range of ratings in the table."""

_KEYS = ("login", "username", "nickname", "displayname", "name", "raw", "text", "body")
"""Keys that stand for the object they are in, such as `login` in GitHub's `user`."""

_DESCRIBING = {"body", "content", "message", "msg", "text"}  # a change, in an object about it
_NESTED = re.compile(r"\w+(\.[\w+-]+)+")
_MAX_SEEN, _MAX_NAME, _MAX_EXAMPLES = 1_000, 60, 3
_MAX_ROWS = 5  # in a remark
_MAX_SHORT = 10  # the highest end of a short scale
_MAX_FIGURE = 1_000_000  # above which whole numbers are ids or times
_SCALES = ((1, 5), (0, 1), (0, 5), (1, 10), (0, 10), (0, 100))
_NAMED_SCALE = re.compile(
    r"(?ai)(?<![\d.])(\d{1,3})[\s_]*(?:[-–~〜]|to|bis|al?|à|até|\.\.|_|([=:(]\D*))[\s_]*(\d{1,3})(?![\d.])"
)
_BEST = "(?:best|highest|excellent|very good|sehr gut|très bien|ottimo|muy bien)"
_IS = r"\s*(?:[=:(]|\bis\b)\s*(?:the )?"
_RANK = re.compile(r"(?<![a-z])(rank|rang|platz|rango|ranking|順位)(?![a-z])", re.IGNORECASE)
_BEST_END = re.compile(rf"(\d+){_IS}{_BEST}|{_BEST}{_IS}(\d+)", re.ASCII | re.IGNORECASE)
_OUT_OF = re.compile(
    r"(?ai)(?:(?<![a-z])(?:out[\s_]?of|sur|von|su|sobre)[\s_]?|(?<!\d)/\s?)(\d{1,3})(?!\d)"
)


def parent(column: str) -> str:
    """Return the object that a column such as `user.login` is in; empty if there is none."""
    return column.rpartition(".")[0] if _NESTED.fullmatch(column) else ""


def last_part(column: str) -> str:
    """Return the name of a column within its object."""
    return column.removeprefix(f"{parent(column)}.")


@lru_cache(maxsize=10_000)
def roles_named(column: str) -> Mapping[str, tuple[int, ...]]:
    """Return the fields and ratings that a column's name stands for.

    Each has a rank, which is lowest for the least deeply nested and most usual name.
    """
    last, outer = _bare(last_part(column)), parent(column)
    if last in _DESCRIBING and outer and "change" in roles_named(outer):
        return {"title": (column.count("."), 0, 0)}
    spellings = {_bare(column): 0, last: 1}
    if outer and last in _KEYS:
        spellings[_bare(last_part(outer))] = 2 + _KEYS.index(last)
    return {
        role: (column.count("."), *min(found))
        for role, names in _USUAL.items()
        if (found := [(names.index(one), n) for one, n in spellings.items() if one in names])
    }


def _scale(low: float, high: float, column: str, *, is_falling: bool = False) -> str:
    """Return a scale from the worst rating on, falling for ranks and if a name has `1 = best`."""
    is_falling = is_falling or bool(_RANK.search(column))
    if said := _BEST_END.search(column):
        is_falling = low == int(said[1] or said[2])
    return f"{high:g}-{low:g}" if is_falling else f"{low:g}-{high:g}"


def names_reviews(columns: Iterable[object]) -> bool:
    """Return True if some columns have usual names of reviews, and of diffs or references."""
    roles = [roles_named(one).keys() for one in columns if isinstance(one, str)]
    return any("review" in one for one in roles) and any(
        {"diff", "reference"} & one for one in roles
    )


def are_few(cells: int, filled: int) -> bool:
    """Return True if the cells are too few to change what their column holds."""
    return cells <= max(filled >= 4, filled // 20)


def _is_within(key: float | str, ends: tuple[float, float] | None) -> bool:
    """Return True for a number in a range; without a range, also for a word such as yes."""
    if ends is None:
        return cell_number(key) is not None
    return isinstance(key, float) and ends[0] <= key <= ends[1]


def _bare(name: str) -> str:
    return re.sub(r"[\s_.-]", "", name.lower())


@dataclass
class ColumnSummary:
    """Counts of the non-blank cells of a column.

    `seen` has its distinct numbers and shortened texts, at most `_MAX_SEEN`, each with its count
    and the numbers and places of its first rows.
    """

    filled: int = 0
    numbers: int = 0
    words: int = 0  # numbers given as words, such as yes and no
    diffs: int = 0
    prose: int = 0  # texts of three words or more
    long: int = 0  # texts of six words or more
    nested: int = 0  # lists and objects
    ends: set[int] = field(default_factory=set)  # tops of the scales in cells such as `4/5`
    lowest: float = float("inf")  # of the numbers, without words
    highest: float = float("-inf")
    seen: dict[float | str, tuple[int, tuple[tuple[int, str], ...]]] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)

    def add(self, cell: object, row: tuple[int, str]) -> None:
        """Count a cell; `row` is the number and the place of its row."""
        if is_blank(cell):
            return
        self.filled += 1
        if len(self.examples) < _MAX_EXAMPLES:
            example = shorten(cell_text(cell)[:1_000], _MAX_NAME)
            self.examples += [example] * (example not in self.examples)
        text = str(cell)[: _MAX_NAME + 1] if isinstance(cell, str | bool) else ""
        key: float | str = text
        if grade := grade_of(cell):
            self.ends.add(grade[1])
        if (number := cell_number(cell)) is not None:
            self.numbers += 1
            if text and not re.search(r"\d", text):  # such as yes or a thumb
                self.words += 1
            else:
                key = number
                self.lowest, self.highest = min(self.lowest, number), max(self.highest, number)
        elif isinstance(cell, str):
            if has_diff(cell):
                self.diffs += 1
            elif not cell.startswith("{"):
                n_words = len(cell[:1_000].split())
                self.prose += n_words >= 3
                self.long += n_words >= 6
        else:
            self.nested += isinstance(cell, list | dict)
        if key in self.seen or len(self.seen) < _MAX_SEEN:
            count, rows = self.seen.get(key, (0, ()))
            self.seen[key] = count + 1, (*rows, row)[:_MAX_ROWS]

    def within(self, low: float, high: float) -> int:
        """Return the number of cells with a number in a range; words do not count."""
        return sum(count for key, (count, _) in self.seen.items() if _is_within(key, (low, high)))

    def places_outside(self, ends: tuple[float, float] | None) -> list[str]:
        """Return the places of the first rows without a number in a range, or without a number."""
        others = (rows for key, (_, rows) in self.seen.items() if not _is_within(key, ends))
        return [place for _, place in sorted(chain.from_iterable(others))[:_MAX_ROWS]]

    @cached_property
    def looks(self) -> set[str]:
        """Return how most cells look, once all are counted.

        label: numbers, or words such as yes and no. rating: numbers from 1 to 5, except for a few
        other numbers; stars: except for a few other cells. number: numbers that a float holds
        exactly. scale: numbers from 0 to 100, unless all are fractions; ids: those that count the
        rows, or exceed a million. prose, sentences: text of at least three, six words. names: short
        repeated texts.
        """
        n_ratings, n_texts = self.within(*RATING_SCALE), self.filled - self.numbers
        is_binary = self.numbers > 1 and self.highest == 1
        is_small = self.lowest >= 0 and self.highest <= 100
        is_index = 2 < self.filled == len(self.seen) == self.highest - self.lowest + 1
        is_whole = all(isinstance(key, float) and key.is_integer() for key in self.seen)
        is_graded = is_small and (is_whole or self.highest > 1)
        is_exact = max(abs(self.lowest), abs(self.highest)) < MAX_EXACT
        is_short = max(len(str(key)) for key in self.seen) <= _MAX_NAME if self.seen else False
        is_like = {
            "label": self._most(self.numbers),
            "words": (is_words := self.words and are_few(self.filled - self.words, self.filled)),
            "yes or no": is_words or self.seen.keys() <= {0.0, 1.0},
            "rating": self._most(n_ratings)
            and are_few(self.numbers - n_ratings, self.filled)
            and not is_binary
            and self.ends <= {RATING_SCALE[1]},
            "grades": n_ratings and are_few(self.filled - n_ratings, self.filled) and not is_binary,
            "ones": is_binary and self.lowest == 1,
            "number": self.numbers > self.words == 0
            and ((is_exact and not n_texts) or (is_small and are_few(n_texts, self.filled))),
            "scale": len(self.seen) > 1 and is_graded and not is_index,
            "ids": is_whole and (is_index or self.lowest > _MAX_FIGURE),
            "diff": self._most(self.diffs),
            "prose": self._most(self.prose) and not self._most(self.diffs),
            "sentences": self._most(self.long),
            "names": is_short
            and not self.numbers + self.nested
            and 1 < len(self.seen) <= min(self.filled // 2, _MAX_SEEN - 1),
        }
        return {name for name, is_one in is_like.items() if is_one}

    def _most(self, cells: int) -> bool:
        return cells > 0 and 2 * cells >= self.filled

    def scale_named(self, column: str) -> str:
        """Return the scale in the name of a column, or in its cells, if the numbers fit it.

        The worst rating comes first: `6-1` if the name has `6-1`, or `1-6` and `1 = best`.
        """
        is_falling = False
        if not self.ends and (named := _NAMED_SCALE.search(column)):
            low, high = sorted((int(named[1]), int(named[3])))
            is_falling = not named[2] and low == int(named[3])
        elif len(tops := self.ends or {int(of) for of in _OUT_OF.findall(column)}) == 1:
            high = max(tops)
            low = int(self.lowest >= 1 and high <= _MAX_SHORT)
        else:
            return ""
        n_odd = self.numbers - self.words - self.within(low, high)
        fits = low < high and are_few(n_odd, self.filled)
        return _scale(low, high, column, is_falling=is_falling) if fits else ""

    def scale(self, column: str) -> str:
        """Return the scale that a column has as ratings: `scale_named`, a usual one, or its range.

        A few numbers far outside a short scale count as typing errors.
        """
        if named := self.scale_named(column):
            return named
        n_numbers = self.numbers - self.words
        fitting = [one for one in _SCALES if one[0] <= self.lowest and self.highest <= one[1]]
        short = [one for one in _SCALES if are_few(n_numbers - self.within(*one), self.filled)]
        low, high = next(iter(fitting), (self.lowest, self.highest))
        if short and high > _MAX_SHORT >= short[0][1]:
            low, high = short[0]
        if self.lowest == self.highest or "grades" in self.looks:
            low, high = RATING_SCALE
        return _scale(low, high, column)
