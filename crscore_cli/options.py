"""Options that several commands share, and readers of the files they name."""

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from crscore_cli.output import INCOMPLETE, print_remarks, progress_reporter
from crscore_core.change import CodeChange, is_known_language, normalise_language, parse_change
from crscore_core.errors import InputError
from crscore_core.scoring import resolve_tau
from crscore_core.text import decode_file, read_at_most, replace_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable

    from crscore_eval.table import Run, RunSettings


def pair(text: str) -> tuple[str, str]:
    """Return the two sides of a value such as `diff=patch_text`; the first may contain `=`."""
    name, equals, value = text.rpartition("=")
    if not name or not equals:
        raise typer.BadParameter(f"{text[:80]!r} must have the form NAME=VALUE")
    return name, value


_PATH_LIKE = re.compile(
    r"(?!\w+://)\S*/\S*|\S+\.(?:txt|text|md|markdown|rst|log|html?|jsonl?|ndjson|csv|tsv|diff|patch)",
    re.IGNORECASE,
)
"""One word with a slash, unless it is a URL, or with a usual file extension."""

Diff = Annotated[str, typer.Option(metavar="FILE", help="Unified diff; - is standard input.")]
Language = Annotated[
    str | None, typer.Option(metavar="NAME", help="Language of hunks without a file name.")
]
Files = Annotated[
    list[Any] | None,
    typer.Option(
        "--file",
        parser=pair,
        metavar="NEWPATH=LOCALFILE",
        help="Complete new version of a changed file, for the analyzers; app.py also names "
        "src/app.py if no other changed file ends in it; repeatable.",
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
        help="What the column NAME holds, such as patch_text=diff or my_score=rating:1-10; "
        "repeatable.",
    ),
]
BaseUrl = Annotated[
    str | None, typer.Option(metavar="URL", help="Server; by default $OPENAI_BASE_URL.")
]
Model = Annotated[
    str | None, typer.Option(metavar="NAME", help="Model of the endpoint or of magicoder.")
]
Device = Annotated[str | None, typer.Option(metavar="cuda|cpu", help="Where magicoder runs.")]
MaxTokens = Annotated[
    int, typer.Option(min=1, metavar="N", help="Maximum tokens of an answer, with reasoning.")
]

ProgressJson = Annotated[
    Literal["json"] | None,
    typer.Option("--progress", metavar="json", help="Print progress as JSON lines."),
]


def open_at_tau(
    name: str, tau: str | None = None, check: "Callable[[Run], object] | None" = None
) -> "tuple[Run, float]":
    """Open a run, or score a file and warn about what is left out; return the run and its tau.

    The tau comes from an option, or else from the run. Before a file is scored, `check` receives
    a run with its columns.

    Raises:
        InputError: the run or file does not exist, or cannot be read; `check` raised it; or `tau`
            is neither a number nor a preset of the run's encoder.
    """
    from crscore_eval.data.sources import SHIPPED_DATA, open_data
    from crscore_eval.table import decide_layout
    from crscore_eval.table.settings import example_run

    path = SHIPPED_DATA.get(name, Path(name))
    if check and path.is_file():
        check(example_run(decide_layout(path)))
    with progress_reporter("scoring reviews") as show:
        run = open_data(name, show)
    settings = run.settings
    if os.path.isfile(path):
        print_remarks(settings)
    own = settings["tau"] if tau is None else tau
    return run, resolve_tau(own, settings["encoder"], settings["claims"])


def exit_status(settings: "RunSettings", name: str) -> int:
    """Return the exit status after reading a run, or a file whose rows may be unusable.

    It is 0 for a run, since `batch` reported its status when it wrote the run.
    """
    if not os.path.isfile(name):
        return 0
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
        place = f"diff {diff[:200]!r}{error.place.removeprefix('diff')}"
        raise InputError(error.problem, error.advice, place) from error


def read_files(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Read the local files in pairs of a new path and a local file; return them by new path.

    Raises:
        InputError: a file cannot be read, or is named twice.
    """
    files: dict[str, str] = {}
    for new_path, local_file in pairs:
        if new_path in files:
            raise InputError(f"--file names {new_path[:80]!r} twice", "give each file once")
        files[new_path] = read_text(local_file, "file")
    return files


def read_review_option(review: str) -> str:
    """Return the review that an option gives: a file, standard input, or the text itself.

    Raises:
        InputError: the review is empty or cannot be read, or names a folder, or looks like the
            path of a file that does not exist.
    """
    is_file = review == "-" or os.path.exists(review)
    if os.path.isdir(review) or (not is_file and _PATH_LIKE.fullmatch(review)):
        problem = "is a folder" if is_file else "looks like a file that does not exist"
        advice = "name a file; to score this text itself, give it on standard input: --review -"
        raise InputError(f"review {review[:200]!r} {problem}", advice)
    text = replace_surrogates(read_text(review, "review") if is_file else review)
    if not text.strip():
        raise InputError(
            f"review {review[:200]!r} is empty", "give its text or the name of its file"
        )
    return text


def read_text(name: str, what: str) -> str:
    """Read a text file, or standard input (-) if no other option reads it.

    Raises:
        InputError: the text cannot be read, is too large, or is not UTF-8.
    """
    return decode_file(_read_bytes(name, what), f"{what} {name[:200]!r}")


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
        problem = f"{what} {name[:200]!r} cannot be read: {reason}"
        raise InputError(problem, "name another file, or - for standard input") from error
