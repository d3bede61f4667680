"""Options that several commands share, and readers of the files they name."""

import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from crscore_cli.output import INCOMPLETE, print_warnings, progress_reporter
from crscore_core.change import CodeChange, is_known_language, normalise_language, parse_change
from crscore_core.errors import InputError, quoted
from crscore_core.scoring import resolve_tau
from crscore_core.text import decode_file, read_at_most, replace_surrogates

if TYPE_CHECKING:
    from crscore_eval.table import Run, RunSettings


def pair(text: str) -> tuple[str, str]:
    """Return the two sides of a value such as `diff=patch_text`; the first may contain `=`."""
    name, equals, value = text.rpartition("=")
    if not name or not equals:
        raise typer.BadParameter(f"{quoted(text)} must have the form NAME=VALUE")
    return name, value


_PATH_LIKE = re.compile(r"\S*/\S*|\S+\.\w+")  # a word with a slash or an ending such as .txt

Diff = Annotated[str, typer.Option(metavar="FILE", help="Unified diff; - is standard input.")]
Language = Annotated[str | None, typer.Option(metavar="NAME", help="Language of unnamed hunks.")]
Files = Annotated[
    list[Any] | None,
    typer.Option(
        "--file",
        parser=pair,
        metavar="NEWPATH=LOCALFILE",
        help="A complete changed file, for the analyzers; app.py may name src/app.py; repeatable.",
    ),
]
Claims = Annotated[
    str, typer.Option(metavar="NAME_OR_FILE", help="symbolic, magicoder, endpoint, or a file.")
]
EncoderName = Annotated[
    str,
    typer.Option(
        "--encoder",
        metavar="NAME_OR_PATH",
        help="A sentence-transformers model; if it has no preset, also give --tau.",
    ),
]
_TAU = "Threshold: a number, tau_gt or tau_best; by default the "
PresetTau = Annotated[str | None, typer.Option("--tau", metavar="X", help=f"{_TAU}preset tau_gt.")]
Tau = Annotated[str | None, typer.Option(metavar="X", help=f"{_TAU}run's.")]
Measure = Annotated[
    str | None,
    typer.Option(
        metavar="MEASURE",
        help="Measure to compare: relevance, no_threshold, conciseness, comprehensiveness, people, "
        "a column of numbers; by default label_worth or people if 50 "
        "reviews of 10 changes have it (of each run, if there are two), else relevance.",
    ),
]
Data = Annotated[
    str, typer.Argument(metavar="DATA", help="A run, a file of reviews, study or kinds.")
]
Json = Annotated[bool, typer.Option("--json", metavar="", help="Print one JSON object.")]

Columns = Annotated[
    list[Any] | None,
    typer.Option(
        "--column",
        parser=pair,
        metavar="NAME=ROLE",
        help="What a column holds, such as patch_text=diff or my_score=rating:1-10; repeatable.",
    ),
]
BaseUrl = Annotated[
    str | None, typer.Option(metavar="URL", help="Server; by default $OPENAI_BASE_URL.")
]
Model = Annotated[
    str | None, typer.Option(metavar="NAME", help="Model of the endpoint or of magicoder.")
]
MaxTokens = Annotated[
    int, typer.Option(min=1, metavar="N", help="Maximum tokens of an answer, with reasoning.")
]

ProgressJson = Annotated[
    Literal["json"] | None,
    typer.Option("--progress", metavar="json", help="Print progress as JSON lines."),
]


def open_at_tau(
    name: str,
    tau: str | None = None,
    check: "Callable[[Run], object] | None" = None,
    columns: list[Any] | None = None,
) -> "tuple[Run, float, int]":
    """Open a run, or score a file and warn about what is left out.

    Return the run, the tau of the option or else of the run, and the exit status, which is 0 for a
    stored run: `batch` reported what it left out. Before a file is scored, `check` receives a run
    with its columns.

    Raises:
        InputError: the run or file does not exist, or cannot be read; `check` raised it; `columns`
            are given for a run; or `tau` is neither a number nor a preset of the run's encoder.
    """
    from crscore_eval.data.sources import SHIPPED_DATA, open_data
    from crscore_eval.table import decide_layout, remarks
    from crscore_eval.table.settings import example_run

    path = SHIPPED_DATA.get(name, Path(name))
    is_file, roles = os.path.isfile(path), dict(columns or ())
    if check and is_file:
        check(example_run(decide_layout(path, roles)))
    with progress_reporter("scoring reviews") as show:
        run = open_data(name, show, roles)
    settings = run.settings
    own = settings["tau"] if tau is None else tau
    threshold = resolve_tau(own, settings["encoder"], settings["claims"])
    if is_file:
        print_warnings(remarks(settings))
    return run, threshold, exit_status(settings) if is_file else 0


def exit_status(settings: "RunSettings") -> int:
    """Return the exit status after scoring a file, some of whose rows may be unusable."""
    return INCOMPLETE if settings["n_rejected"] or settings["n_left_out"] else 0


def read_change(diff: str, language: str | None) -> CodeChange:
    """Read and parse the diff that an option names.

    Raises:
        InputError: the diff cannot be read or parsed, or the language is unknown.
    """
    content = _read_bytes(diff, "diff")
    if language is not None and not is_known_language(normalise_language(language)):
        raise InputError(f"unknown language {language!r}", "give a name such as python, or .py")
    try:
        return parse_change(content, language=language)
    except InputError as error:
        place = f"diff {quoted(diff)}{error.place.removeprefix('diff')}"
        raise InputError(error.problem, error.advice, place) from error


def read_files(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Read the local files in pairs of a new path and a local file; return them by new path.

    Raises:
        InputError: a file cannot be read, or is named twice.
    """
    files: dict[str, str] = {}
    for new_path, local_file in pairs:
        if new_path in files:
            raise InputError(f"--file names {quoted(new_path)} twice", "give each file once")
        files[new_path] = _read_text(local_file, "file")
    return files


def read_review_option(review: str) -> str:
    """Return the review that an option gives: a file, standard input, or the text itself.

    Raises:
        InputError: the review is empty or cannot be read, or looks like the path of a file that
            does not exist.
    """
    is_file = review == "-" or os.path.exists(review)
    if not is_file and _PATH_LIKE.fullmatch(review):
        problem = f"review {quoted(review)} looks like a file that does not exist"
        advice = "name a file; to score this text itself, give it on standard input: --review -"
        raise InputError(problem, advice)
    text = replace_surrogates(_read_text(review, "review") if is_file else review)
    if not text.strip():
        problem = f"review {quoted(review)} is empty"
        raise InputError(problem, "give its text or the name of its file")
    return text


def _read_text(name: str, what: str) -> str:
    return decode_file(_read_bytes(name, what), f"{what} {quoted(name)}")


def _read_bytes(name: str, what: str) -> bytes:
    try:
        if name != "-":
            return read_at_most(Path(name))
        with sys.stdin.buffer as stream:  # closed afterwards: a second option cannot read it
            return read_at_most(stream)
    except (OSError, ValueError, AttributeError) as error:
        if name == "-":
            raise InputError("standard input (-) is closed, or another option reads it") from error
        reason = getattr(error, "strerror", None) or str(error)
        problem = f"{what} {quoted(name)} cannot be read: {reason}"
        raise InputError(problem, "name another file, or - for standard input") from error
