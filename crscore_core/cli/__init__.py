"""The command `crscore`."""

from crscore_core.cli.main import main

__all__ = ["main"]
