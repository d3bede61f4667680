"""The command `crscore`, with typer and rich: one file a command."""

from crscore_cli.app import main

__all__ = ["main"]
