"""The command `crscore`, with typer and rich: one file per command."""

from crscore_cli.app import main as main
