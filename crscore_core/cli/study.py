"""`crscore study`."""

import click

from crscore_core.cli.study_calibrate import calibrate
from crscore_core.cli.study_check import check
from crscore_core.cli.study_fetch import fetch

__all__ = ["command"]


@click.group("study")
def command() -> None:
    """Get and check the human study of the paper."""


command.add_command(calibrate)
command.add_command(check)
command.add_command(fetch)
