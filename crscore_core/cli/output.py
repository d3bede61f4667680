"""Output of commands: JSON, text that cannot steer a terminal, files."""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from analyzers import AnalyzerResult
from crscore_core.errors import InputError
from crscore_core.text import visible_text, whole_text


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
