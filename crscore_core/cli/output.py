"""Output of commands: JSON, text that cannot steer a terminal, files."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import click

from analyzers import AnalyzerResult
from crscore_core.errors import InputError
from crscore_core.text import visible_text, whole_text

SET_ASIDE = 3
"""Exit status of a command that finished, with some rows of a file set aside."""

_SECONDS_WATCHED = 0.2


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON object; replace halves of surrogate pairs, as names of files may hold."""
    click.echo(whole_text(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)))


def print_line(text: str = "") -> None:
    """Print a line, with every control and format character made visible."""
    click.echo(visible_text(text))


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

    def __init__(self, seconds: float) -> None:
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


def check_file_to_write(path: Path) -> None:
    """Fail before the work, not after it, if its result cannot be written.

    Raises:
        InputError: there is no such folder, or the file may not be written.
    """
    folder = path.absolute().parent
    if not os.path.isdir(folder):
        raise InputError(f"{str(path)!r} cannot be written: there is no folder {folder}")
    if os.path.isdir(path) or not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise InputError(f"{str(path)!r} cannot be written: it is a folder, or not yours to write")


def write_file(path: Path, text: str) -> None:
    """Write text without changing line ends.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be written: {error.strerror}") from error
