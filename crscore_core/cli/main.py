"""Entry point: finds the command, and turns errors into one line and an exit status."""

import atexit
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from crscore_core.errors import InputError
from crscore_core.scoring.signature import package_version
from crscore_core.text import visible_text

_INTERRUPTED = 130
_COMMANDS = {
    "score": "Score reviews of a diff, and say what they miss.",
    "claims": "Show the claims that a diff gives, for a review to address.",
    "analyze": "Show what static analyzers find on the changed lines.",
    "pr": "Write the review comments of pull requests to a corpus file.",
    "batch": "Score a corpus, a file with many reviews; the result is a run.",
    "judge": "Let a language model judge reviews, and compare judges with people.",
    "rank": "Order the systems of a run by a measure, and compare them.",
    "gate": "Check that the scores of a run are high enough, and no lower than another's.",
    "export": "Write a run as a report, or as CSV, JSON Lines or Parquet.",
    "rescore": "Score a run at another tau, without a model.",
    "sweep": "Show how the scores of a run depend on tau.",
    "study": "List, download and check the human study and other data with labels.",
    "validity": "Recompute the paper's tables on the human study.",
    "compare": "Compare metrics by their agreement with people's labels.",
    "dashboard": "Start the web app.",
    "doctor": "Show what is installed, what is missing and how to fix it.",
}


class _Commands(click.Group):
    """Imports a command when it is called, so that help needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"crscore_core.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(
    cls=_Commands, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_version(), prog_name="crscore")
def _crscore() -> None:
    """Score code review comments without reference reviews.

    For example: git diff | crscore score --diff - --review "Why is an empty list returned?"

    The threshold tau is the cosine above which a review sentence matches a claim or a smell.
    `crscore COMMAND --help` explains a command.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 a failure of ours, 2 bad usage or bad input."""
    status = _run(arguments)
    if status == _INTERRUPTED and arguments is None:
        # The interpreter would take seconds to tear down models and trees.
        atexit._run_exitfuncs()  # noqa: SLF001 - it has no public name
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        status = _crscore.main(arguments, prog_name="crscore", standalone_mode=False)
    except InputError as error:
        return _fail(2, str(error))
    except click.ClickException as error:
        command = getattr(getattr(error, "ctx", None), "command_path", "crscore")
        return _fail(2, f"{error.format_message()} See: {command} --help")
    except (click.Abort, KeyboardInterrupt):
        return _fail(_INTERRUPTED, "interrupted")
    except BrokenPipeError:
        # Whoever reads our output has seen enough; nothing may be flushed to it any more.
        sys.stdout = None
        return 0
    except OSError as error:
        try:
            sys.stdout.flush()
        except OSError:
            sys.stdout = None  # what cannot be written would fail again at exit
        return _fail(1, str(error))
    return status if isinstance(status, int) else 0


def _fail(status: int, message: str) -> int:
    line = visible_text(" ".join(message.split()))
    print(f"crscore: {line}", file=sys.stderr)
    return status
