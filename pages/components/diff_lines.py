"""Split a diff into lines for display: headers and numbered lines, cut if they are too long."""

from dataclasses import dataclass

from crscore_core.change import ChangedLine, FileChange, LineKind, parse_change
from crscore_core.errors import InputError
from pages.components.text import cut

MAX_LINES = 600
"""Maximum number of lines of a diff to show."""

MAX_WIDTH = 2_000
"""Maximum number of characters of a line to show; longer lines are usually generated code."""

_HEADERS = ("diff ", "index ", "--- ", "+++ ")
_KINDS = {kind.value: kind for kind in LineKind}


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a diff.

    kind: None for a header and for text around the diff.
    text: the line without the `+`, `-` or space of its kind, cut at `MAX_WIDTH`.
    old, new: line numbers in the two files.
    path, language: of the file; None outside hunks, or if unknown.
    """

    kind: LineKind | None
    text: str
    old: int | None = None
    new: int | None = None
    path: str | None = None
    language: str | None = None

    @property
    def is_hunk_header(self) -> bool:
        """Return True for the header of a hunk."""
        return self.kind is None and self.text.startswith("@@")


@dataclass(frozen=True, slots=True)
class DiffLines:
    """The first lines of a diff, the number of lines left out, and any `problem` in reading it."""

    lines: tuple[DiffLine, ...]
    left_out: int
    problem: str | None = None


def diff_lines(diff: str, language: str | None = None, max_lines: int = MAX_LINES) -> DiffLines:
    """Split a diff into lines to show; text around the diff stays as typed.

    `language` is passed to `parse_change`. If the diff cannot be read, lines have no numbers, and
    the first character of each line determines its kind.
    """
    texts = diff.replace("\r\n", "\n").removesuffix("\n").split("\n")
    problem = None
    line_at: dict[int, tuple[ChangedLine, FileChange]] = {}
    try:
        files = parse_change(diff, language=language).files
    except InputError as error:
        problem = str(error)
    else:
        line_at = {
            line.position: (line, file)
            for file in files
            for hunk in file.hunks
            for line in hunk.lines
        }
    lines = []
    for position, text in enumerate(texts[:max_lines], 1):
        if position in line_at:
            line, file = line_at[position]
            place = line.old, line.new, file.path, file.language
            lines.append(DiffLine(line.kind, cut(line.text, MAX_WIDTH), *place))
        else:
            kind = None if problem is None or text.startswith(_HEADERS) else _KINDS.get(text[:1])
            lines.append(DiffLine(kind, cut(text if kind is None else text[1:], MAX_WIDTH)))
    return DiffLines(tuple(lines), max(0, len(texts) - max_lines), problem)
