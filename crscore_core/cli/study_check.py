"""`crscore study check`."""

import click

__all__ = ["check"]


@click.command("check")
def check() -> None:
    """Say what a folder of the study holds."""
