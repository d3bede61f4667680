"""Entry point: the commands, and errors as one line with an exit status (docs/commands.md)."""

import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from crscore_cli.output import print_error
from crscore_core.errors import InputError
from crscore_core.version import __version__

_COMMANDS = {
    "score": 'git diff | crscore score --diff - --review "Why is an empty list returned?"',
    "claims": "git diff | crscore claims --diff -",
    "analyze": "git diff | crscore analyze --diff -",
    "batch": "crscore batch reviews.csv -o runs/mine",
    "judge": "crscore judge runs/mine -o runs/judged --base-url http://localhost:8000/v1 --model M",
    "rank": "crscore rank runs/mine",
    "gate": "crscore gate runs/mine --baseline runs/last --fail-under relevance=0.4",
    "export": "crscore export runs/mine -o report.html",
    "validity": "crscore validity --claims symbolic",
    "compare": "crscore compare kinds",
    "dashboard": "crscore dashboard runs/mine",
    "doctor": "crscore doctor",
}
"""The commands, each with an example; `crscore_cli.NAME` has a function of the same name."""


def _show_version(is_given: bool) -> None:  # noqa: FBT001 - typer's signature
    if is_given:
        print(f"crscore {__version__}")
        raise typer.Exit


def _crscore(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version)
    ] = False,
) -> None:
    """Score code review comments without reference reviews.

    A change becomes pseudo-references: claims about it and code smells. A
    review sentence matches one of them if the cosine similarity of their
    embeddings exceeds tau.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; SIGTERM counts as an interrupt."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = _run((sys.argv[1:] if arguments is None else arguments) or ["--help"])
        sys.stdout.flush()
    except OSError as error:  # such as a full disk, for which the error names no file
        is_reader_gone = isinstance(error, BrokenPipeError)
        message = str(error) if error.filename else f"the output cannot be written: {error}"
        status = 1 if is_reader_gone else print_error(message, 2)
        try:
            sys.stdout.flush()
        except OSError:  # Python would try again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


def _app(arguments: Sequence[str]) -> typer.Typer:
    """Return the application; only the command that is called is imported."""
    app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None)
    app.callback(context_settings={"help_option_names": ["-h", "--help"]})(_crscore)
    called = next(iter(arguments), "-")
    for name, example in _COMMANDS.items():
        is_needed = called == name or called.startswith("-")
        command = getattr(import_module(f"crscore_cli.{name}"), name) if is_needed else lambda: None
        app.command(name, epilog=f"Example: {example}")(command)
    return app


def _run(arguments: Sequence[str]) -> int:
    try:
        status = _app(arguments)(list(arguments), prog_name="crscore", standalone_mode=False)
    except InputError as error:
        return print_error(str(error), 2)
    except typer.TyperException as error:
        command = " ".join(["crscore", *(word for word in arguments[:1] if word in _COMMANDS)])
        message = error.format_message().rstrip(".")
        return print_error(f"{message} (see {command} --help)", 2)
    except (typer.Abort, KeyboardInterrupt):
        return print_error("interrupted", 130)  # as a shell reports it
    return status if isinstance(status, int) else 0
