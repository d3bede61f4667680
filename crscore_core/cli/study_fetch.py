"""`crscore study fetch`."""

import click

__all__ = ["fetch"]


@click.command("fetch")
def fetch() -> None:
    """Download the human study."""
