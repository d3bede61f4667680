"""Options that several commands share, and readers of the files that they name."""

import os.path
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import click

from crscore_core.change import LANGUAGES, CodeChange, parse_change
from crscore_core.cli.output import file_to_write
from crscore_core.datasets.study.shipped import SHIPPED_RUN
from crscore_core.errors import InputError
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.text import read_at_most, text_of_file, whole_text

_FILE_LIKE = re.compile(r"\S+\.(?:txt|md|json|jsonl|csv)|(?:\.{0,2}|~)/\S*", re.ASCII)
_STDIN = f"{__name__}.stdin"

diff_option = click.option(
    "--diff", "diff", required=True, metavar="FILE", help="Unified diff; - is standard input."
)
language_option = click.option(
    "--language",
    metavar="NAME",
    help=f"Language of hunks without file names; those with analyzers are {', '.join(LANGUAGES)}.",
)
encoder_option = click.option(
    "--encoder",
    default=DEFAULT_ENCODER,
    show_default=True,
    metavar="NAME_OR_PATH",
    help="The sentence-transformers model that compares texts.",
)
tau_option = click.option(
    "--tau",
    metavar="X",
    help="Similarity threshold: a number, or a preset of the encoder, tau_gt (default) or "
    "tau_best.",
)
csv_option = click.option("--csv", "csv_file", type=file_to_write, help="Also write a CSV file.")
resamples_option = click.option(
    "--resamples",
    default=1000,
    show_default=True,
    type=click.IntRange(50, 100_000),
    help="How many resamples of changes the intervals rest on.",
)


def corpus_path(value: str) -> Path:
    """Return the path that an argument names; `study` names the run that comes with the package."""
    return SHIPPED_RUN if value == "study" else Path(value)


column_option = click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Column that holds a field, such as diff=patch_text, if its name does not tell; FIELD= if "
    "no column holds the field; may be given several times.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def read_change(diff: str, language: str | None) -> CodeChange:
    """Read and parse the diff that an option names.

    Raises:
        InputError: the diff cannot be read, or is no diff.
    """
    return parse_change(_read_bytes(diff, "diff"), language=language)


def read_columns(pairs: Sequence[str], fields: Sequence[str]) -> dict[str, str]:
    """Return the columns by field that `--column` names.

    Raises:
        InputError: a pair is none, or names no field of `fields`, or one twice.
    """
    columns: dict[str, str] = {}
    for pair in pairs:
        name, equals, column = pair.partition("=")
        if not equals:
            raise InputError(f"--column {pair[:80]!r} is not of the form FIELD=COLUMN")
        if name not in fields:
            raise InputError(
                f"--column {pair[:80]!r}: there is no field {name!r}; choose {', '.join(fields)}"
            )
        if name in columns:
            raise InputError(f"--column gives {name} twice")
        columns[name] = column
    return columns


def read_review(review: str) -> str:
    """Return the review that an option gives: a file's content, standard input, or the text itself.

    Raises:
        InputError: the review is empty, cannot be read, or looks like the name of a file that is
            not there.
    """
    if review == "-" or (os.path.exists(review) and not os.path.isdir(review)):
        text = read_text(review, "review")
    elif _FILE_LIKE.fullmatch(review):
        raise InputError(f"review file {review[:200]!r} is no file")
    else:
        text = review
    text = whole_text(text)
    if not text.strip():
        raise InputError(f"review {review[:200]!r} is empty; give its text or a file that holds it")
    return text


def read_text(name: str, what: str) -> str:
    """Read a text file, or standard input (-) if no other option reads it.

    `what` names the content in messages.

    Raises:
        InputError: the text cannot be read, is too large or not UTF-8, or another option reads
            standard input.
    """
    return text_of_file(_read_bytes(name, what), f"{what} {name[:200]!r}")


def _read_bytes(name: str, what: str) -> bytes:
    try:
        return read_at_most(_standard_input() if name == "-" else Path(name))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{what} {name[:200]!r} cannot be read: {reason}") from error


def _standard_input() -> BinaryIO:
    """Return standard input for the one option that may have it."""
    taken = click.get_current_context().meta
    if taken.setdefault(_STDIN, 0):
        raise InputError(
            "standard input (-) can be only one of the diff, reviews, claims and files"
        )
    taken[_STDIN] = 1
    if sys.stdin is None:
        raise InputError("standard input (-) is closed")
    return sys.stdin.buffer
