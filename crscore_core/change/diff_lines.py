"""Split a diff into lines for display: headers and numbered lines, cut where too long."""

from dataclasses import dataclass

from crscore_core.change.language import normalise_language
from crscore_core.change.model import LineKind
from crscore_core.change.parse import parse_change
from crscore_core.errors import DiffError, InputError

MOST_LINES = 600
"""Maximum number of lines of a diff to show."""

MOST_WIDTH = 2_000
"""Maximum number of characters of a line to show; longer lines are generated."""

_HEADS = ("diff ", "index ", "--- ", "+++ ")
_KINDS = {kind.value: kind for kind in LineKind}


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a diff.

    `kind` is None for a header and for text around the diff. `text` excludes the `+`, `-` or space
    of a line with a kind, and the last `left_out` characters. `old` and `new` are the line numbers
    in the two files. `hunk` numbers the hunks of the diff from 1; `path` and `language` are those
    of the file, None outside hunks and where the diff does not name it.
    """

    kind: LineKind | None
    text: str
    left_out: int = 0
    old: int | None = None
    new: int | None = None
    hunk: int | None = None
    path: str | None = None
    language: str | None = None

    @property
    def is_hunk_head(self) -> bool:
        """Return True for a line that opens a hunk."""
        return self.kind is None and self.text.startswith("@@")


@dataclass(frozen=True, slots=True)
class DiffLines:
    """The first lines of a diff, the number of lines left out, and any reason it is unreadable."""

    lines: tuple[DiffLine, ...]
    left_out: int
    problem: str | None = None


def diff_lines(
    diff: str, language: str | None = None, most_lines: int = MOST_LINES, *, guess: bool = True
) -> DiffLines:
    """Split a diff into lines to show; text around the diff stays as typed.

    `language` holds for files whose name tells none; one that is blank or too long is ignored.
    `guess` is that of `parse_change`. A diff that cannot be read has no line numbers, and the first
    character of each line tells the kind.
    """
    texts = diff.replace("\r\n", "\n").removesuffix("\n").split("\n")
    known: dict[int, DiffLine] = {}
    problem = None
    try:
        known = _lines_of_hunks(diff, language, guess=guess)
    except DiffError as error:
        problem = str(error)
    lines = (
        known.get(position) or _line_outside(text, is_read=problem is None)
        for position, text in enumerate(texts[:most_lines], 1)
    )
    return DiffLines(tuple(lines), max(0, len(texts) - most_lines), problem)


def _lines_of_hunks(diff: str, language: str | None, *, guess: bool) -> dict[int, DiffLine]:
    """Return lines of hunks by their position in the text of the diff, from 1."""
    try:
        language = None if language is None else normalise_language(language)
    except InputError:
        language = None
    change = parse_change(diff, language=language, guess=guess)
    hunks = [(hunk, file) for file in change.files for hunk in file.hunks]
    return {
        line.position: DiffLine(
            line.kind,
            line.text[:MOST_WIDTH],
            max(0, len(line.text) - MOST_WIDTH),
            line.old,
            line.new,
            number,
            file.path,
            file.language,
        )
        for number, (hunk, file) in enumerate(hunks, 1)
        for line in hunk.lines
    }


def _line_outside(text: str, *, is_read: bool) -> DiffLine:
    """Return a line outside hunks, or a line of an unreadable diff."""
    kind = None if is_read or text.startswith(_HEADS) else _KINDS.get(text[:1])
    shown = text if kind is None else text[1:]
    return DiffLine(kind, shown[:MOST_WIDTH], max(0, len(shown) - MOST_WIDTH))
