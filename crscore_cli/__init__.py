"""The command `crscore`, with typer and rich: one file per command."""

import crscore_core.bundle  # noqa: F401 - finds the analyzers
from crscore_cli.app import main as main
