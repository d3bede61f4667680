"""Output of commands: JSON, text that cannot steer a terminal, files."""

import json
import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import click
from tqdm import tqdm

from analyzers import AnalyzerResult
from crscore_core.corpus.progress import CorpusProgress, CorpusStage, Note
from crscore_core.errors import InputError
from crscore_core.text import visible_text, whole_text

SET_ASIDE = 3
"""Exit status of a command that finished, with some rows of a file set aside."""

SHOWN_ROWS = 5
"""Number of rows set aside that a command names."""

_MOST_NAMED = 10
_SECONDS_WATCHED = 0.2

_UNITS = {
    CorpusStage.INTAKE: "B",
    CorpusStage.SCORES: " reviews",
}
_BAR, _NO_BAR = "{l_bar}{bar}|", "{desc}: {percentage:3.0f}%"
_REST = " {n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_noinv_fmt}]"
"""Format of tqdm whose rate stays reviews a second below one, too, not seconds a review."""


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON object; replace halves of surrogate pairs, as names of files may hold."""
    click.echo(whole_text(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)))


def print_line(text: str = "") -> None:
    """Print a line, with every control and format character made visible."""
    click.echo(visible_text(text))


def print_table(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> None:
    """Print rows of cells, the head first; the columns `left` are flush left, others flush right.

    A column with nothing below its head is left out.
    """
    widths = [max(map(len, column)) if any(column[1:]) else 0 for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            if width
        )
        print_line("  ".join(cells).rstrip())


def print_facts(document: Mapping[str, Any]) -> None:
    """Print a JSON object for people, with the same names: a line a key."""
    for name, value in document.items():
        print_line(f"{name}: {_in_words(value)}")


def _in_words(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(
            f"{key} ({_in_words(one)})" if isinstance(one, Mapping) else f"{key}: {_in_words(one)}"
            for key, one in value.items()
        )
    if isinstance(value, list | tuple):
        shown = ", ".join(map(_in_words, value[:_MOST_NAMED])) or "none"
        more = len(value) - _MOST_NAMED
        return f"{shown} and {more:,} more, which --json names" if more > 0 else shown
    return f"{value:,}" if type(value) is int else str(value) or "unknown"


def print_analyzers(results: Iterable[AnalyzerResult]) -> None:
    """Print a line for each analyzer and file."""
    for result in results:
        reason = f" ({result.reason})" if result.reason else ""
        status = result.status.value.replace("_", " ")
        print_line(
            f"analyzer {result.name}: {result.path or 'hunk'}: {status}{reason}, "
            f"smells: {len(result.smells)}"
        )


def print_warnings(warnings: Iterable[str]) -> None:
    """Print warnings to standard error."""
    for warning in warnings:
        click.echo(f"warning: {visible_text(warning)}", err=True)


def is_watched() -> bool:
    """Return True if a person watches standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


def print_progress(what: str) -> None:
    """Name the present step if a person watches standard error."""
    if is_watched():
        click.echo(f"{what} …", err=True)


class StatusLine:
    """Progress on standard error: one line that changes if a person watches, else lines.

    At least `seconds` pass between lines; a watched line changes more often. The end of a `with`
    block ends it.
    """

    def __init__(self, seconds: float = 30) -> None:
        self.is_watched = is_watched()
        self._seconds = _SECONDS_WATCHED if self.is_watched else seconds
        self._shown_at = 0.0 if self.is_watched else time.monotonic()
        self._waiting: Callable[[], str] | None = None
        self._is_open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def show(self, text: Callable[[], str]) -> None:
        """Show what `text` gives; so soon after another text, leave it to `end`."""
        self._waiting = text
        if time.monotonic() - self._shown_at >= self._seconds:
            self._write()

    def end(self) -> None:
        """Show the last text, and leave its line."""
        self._write()
        if self._is_open:
            _say("\n")
        self._is_open = False
        self._shown_at = 0.0 if self.is_watched else time.monotonic()

    def _write(self) -> None:
        if self._waiting:
            _say(f"\r{self._waiting()}" if self.is_watched else f"{self._waiting()}\n")
            self._waiting, self._is_open = None, self.is_watched
            self._shown_at = time.monotonic()


def _say(text: str) -> None:
    """Write on standard error; work does not end because nobody reads there any more."""
    with suppress(OSError, ValueError):
        click.echo(text, nl=False, err=True)


@contextmanager
def shown_progress() -> Iterator[Note]:
    """Give a callback that shows how far each step of a run is."""
    stage, began = None, 0.0
    with StatusLine() as line:

        def show(progress: CorpusProgress) -> None:
            nonlocal stage, began
            if progress.stage is not stage:
                line.end()
                stage, began = progress.stage, time.monotonic()
            line.show(lambda: _meter(progress, time.monotonic() - began, 100 * line.is_watched))

        yield show


def _meter(progress: CorpusProgress, seconds: float, width: int) -> str:
    return tqdm.format_meter(
        progress.done,
        progress.total,
        seconds,
        ncols=width or None,
        prefix=progress.stage.value,
        unit=_UNITS[progress.stage],
        unit_scale=progress.stage is CorpusStage.INTAKE,
        initial=progress.before,
        bar_format=(_BAR if width else _NO_BAR) + _REST,
    )


def file_to_write(value: str) -> Path:
    """Return the path that an option names; fail before the work if it cannot be written.

    Raises:
        InputError: there is no such folder, or the file may not be written.
    """
    path = Path(value)
    folder = path.absolute().parent
    if not os.path.isdir(folder):
        raise InputError(f"{value!r} cannot be written: there is no folder {folder}")
    if os.path.isdir(path) or not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise InputError(f"{value!r} cannot be written: it is a folder, or not yours to write")
    return path


def write_file(path: Path, content: str | bytes, *, appends: bool = False) -> None:
    """Write a file without changing line ends: whole, or not at all, unless it `appends`.

    Raises:
        InputError: the file cannot be written.
    """
    # Devices and pipes are written in place.
    is_file = not appends and (path.is_file() or not os.path.lexists(path))
    real = Path(os.path.realpath(path))
    place = real.with_name(f".{real.name[:100]}.{os.getpid()}") if is_file else path
    try:
        try:
            with place.open("ab" if appends else "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
            if is_file:
                place.replace(real)
        except BaseException:
            if is_file:
                place.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be written: {error.strerror}") from error
