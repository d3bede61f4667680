"""Printing: JSON, and text that cannot steer a terminal."""

import json
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import click

from analyzers import AnalyzerResult

__all__ = ["print_analyzers", "print_json", "print_line", "print_warnings"]


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1))


def print_line(text: str = "") -> None:
    """Print a line, with every control and format character made visible."""
    click.echo("".join(map(_visible, text)))


def print_analyzers(results: Iterable[AnalyzerResult]) -> None:
    """Print what each analyzer looked at."""
    for result in results:
        reason = f" ({result.reason})" if result.reason else ""
        status = result.status.value.replace("_", " ")
        print_line(
            f"analyzer {result.name}: {result.path or 'hunk'}: {status}{reason}, "
            f"smells: {len(result.smells)}"
        )


def print_warnings(warnings: Iterable[str]) -> None:
    """Print warnings to standard error, where they are in nobody's way."""
    for warning in warnings:
        click.echo(f"warning: {''.join(map(_visible, warning))}", err=True)


def _visible(character: str) -> str:
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
        return f"\\u{ord(character):04x}"
    return character
