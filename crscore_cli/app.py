"""Entry point: the commands, and errors as one line with an exit status.

Exit status: 0 done, 1 a failure of ours, 2 bad usage or input, 3 finished with rejected rows,
4 a gate that fails, 130 interrupted.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from crscore_cli.output import print_error
from crscore_core.errors import InputError
from crscore_core.scoring.signature import package_version

_INTERRUPTED = 130
_COMMANDS = {
    "score": "Score reviews of a diff and list what they miss.",
    "claims": "Show the claims about a diff that a review could address.",
    "analyze": "Show what static analyzers find on the changed lines.",
    "batch": "Score a file of many reviews into a run.",
    "judge": "Let a language model judge the reviews of a run or file.",
    "rank": "Order the systems of a run and compare them.",
    "gate": "Fail if the scores of a run are too low, or lower than another run's.",
    "export": "Write a run as an HTML report, CSV, JSON Lines or Parquet.",
    "validity": "Recompute the paper's tables on the human study.",
    "compare": "Compare metrics by their agreement with people.",
    "dashboard": "Start the web app.",
    "doctor": "Show what works here and how to fix what does not.",
}
"""The commands with their summaries; `crscore_cli.NAME` has a function of the same name."""


def _show_version(is_wanted: bool) -> None:  # noqa: FBT001 - typer's signature
    if is_wanted:
        print(f"crscore {package_version()}")
        raise typer.Exit


def _crscore(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version)
    ] = False,
) -> None:
    """Score code review comments without reference reviews.

    Example: git diff | crscore score --diff - --review "Why is an empty list returned?"

    A change becomes pseudo-references: claims about it and code smells. A review sentence matches
    one of them if the cosine similarity of their embeddings exceeds tau.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    status = _run(sys.argv[1:] if arguments is None else arguments)
    if status == _INTERRUPTED and arguments is None:
        os._exit(status)  # tearing down models takes seconds
    sys.exit(status)


def _app(arguments: Sequence[str]) -> typer.Typer:
    """Return the application; only the command that is called has its module imported."""
    app = typer.Typer(add_completion=False, no_args_is_help=True)
    app.callback(context_settings={"help_option_names": ["-h", "--help"]})(_crscore)
    called = next((word for word in arguments if not word.startswith("-")), "")
    for name, summary in _COMMANDS.items():
        if name == called:
            app.command(name)(getattr(import_module(f"crscore_cli.{name}"), name))
        else:
            app.command(name, help=summary)(lambda: None)
    return app


def _run(arguments: Sequence[str]) -> int:
    try:
        status = _app(arguments)(list(arguments), prog_name="crscore", standalone_mode=False)
    except InputError as error:
        return print_error(str(error), 2)
    except typer.TyperException as error:
        return print_error(f"{error.format_message()} See: crscore --help", 2)
    except (typer.Abort, KeyboardInterrupt):
        return print_error("interrupted", _INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader is gone
        return 0
    except OSError as error:
        return print_error(str(error), 1)
    return status if isinstance(status, int) else 0
