"""Output of commands: JSON, tables, warnings, progress, files."""

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crscore_core.analyzers import AnalyzerResult, Status
from crscore_core.errors import InputError
from crscore_core.text import counted, escape_invisible, replace_surrogates, shorten

if TYPE_CHECKING:
    import pandas as pd

    from crscore_core.scoring.scorer import Progress as ShowProgress

INCOMPLETE = 3  # exit status if rows were rejected or reviews have no result
_MAX_WARNING = 300  # characters


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON object; lone surrogates are replaced."""
    print(replace_surrogates(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)))


def print_line(text: str = "", indent: int = 0) -> None:
    """Print a line with control and format characters made visible.

    On a terminal, a long line is wrapped between words, and all but its first part are indented.
    """
    line = escape_invisible(text.replace("\t", " "))
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
        line = textwrap.fill(line, width, subsequent_indent=" " * indent, break_on_hyphens=False)
    print(line)


def print_error(message: str, status: int) -> int:
    """Print one line to standard error and return the exit status."""
    print(f"crscore: {escape_invisible(' '.join(message.split()))}", file=sys.stderr)
    return status


def print_warnings(warnings: Iterable[str]) -> None:
    """Print warnings to standard error, and shorten long ones."""
    for warning in warnings:
        print(f"warning: {escape_invisible(shorten(warning, _MAX_WARNING))}", file=sys.stderr)


def print_table(
    table: "Mapping[Hashable, Sequence[object]] | pd.DataFrame", n_texts: int = 1, title: str = ""
) -> None:
    """Print a blank line, a title and a table, given by its columns.

    The first `n_texts` columns are flush left; a narrow terminal wraps only these. The others are
    figures, flush right.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    printed = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for number, head in enumerate(map(str, table)):
        if number < n_texts:
            printed.add_column(Text(head), overflow="fold")
        else:
            printed.add_column(Text("\n".join(head.split())), justify="right", no_wrap=True)
    for row in zip(*(table[head] for head in table), strict=True):
        printed.add_row(*(Text(escape_invisible(str(cell))) for cell in row))
    print_line()
    if title:
        print_line(title)
    width = shutil.get_terminal_size((400, 1)).columns  # as wide as needed without a terminal
    Console(file=sys.stdout, width=width).print(printed)


def print_by_file(
    statements: Iterable[Mapping[str, Any]], text_of: Callable[[Mapping[str, Any]], str]
) -> None:
    """Print claims or smells under the names of their files, with the numbers of their lines."""
    for path, of_path in groupby(statements, itemgetter("path")):
        print_line(path or "without a file name")
        for statement in of_path:
            print_line(f"{statement['line'] or '':>6}  {text_of(statement)}", indent=8)


def print_analyzers(results: Iterable[AnalyzerResult]) -> None:
    """Print a line for each file and analyzer."""
    for result in results:
        is_analysed = result.status is not Status.NOT_ANALYSED
        outcome = counted(len(result.smells), "smell") if is_analysed else "not analysed"
        by = "" if result.name == "none" else f" by {result.name}"
        extent = ", which saw only the diff" if result.status is Status.FRAGMENT else ""
        reason = f" ({result.reason})" if result.reason else ""
        print_line(f"{result.path or 'a hunk'}: {outcome}{by}{extent}{reason}")


@contextmanager
def progress_reporter(what: str, form: str | None = None) -> Iterator["ShowProgress"]:
    """Yield a function that prints progress, as JSON lines on standard output if `form` is "json".

    In that case, an error is also printed as a last line with the object `error`. Otherwise, a
    terminal shows a bar on standard error.
    """
    if form == "json":
        try:
            yield lambda done, total=None, step="": print(
                json.dumps({"done": done, "total": total, "step": step}), flush=True
            )
        except InputError as error:
            print(json.dumps({"error": vars(error)}), flush=True)
            raise
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total=None, step="": bar.update(
            task, completed=done, total=total, description=escape(escape_invisible(step or what))
        )


def file_to_write(value: str, endings: Sequence[str] = ()) -> Path:
    """Return the path that an option names, after a check that it can be written.

    Raises:
        InputError: the file cannot be written, or has none of the `endings`.
    """
    path = Path(value)
    if path.is_dir() or not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise InputError(f"{value!r} cannot be written", "name a file in a folder that exists")
    if endings and path.suffix.lower()[1:] not in endings:
        raise InputError(f"{value!r} must end in one of: .{', .'.join(endings)}")
    return path
